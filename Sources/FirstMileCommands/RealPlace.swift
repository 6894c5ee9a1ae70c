import EventInput
import FlowDefinition
import Foundation

/// Where a path leads, whether or not something is there yet.
struct RealPlace: Hashable {
  /// Without links, `.` and `..`, from the root, as far as the folders exist.
  let path: String
  /// The folder that exists and is nearest, and the names from there on.
  private let folder: FileIdentity?
  private let rest: [String]

  init(_ given: String) {
    path = RealPlace.resolve(given, linksLeft: 40)
    var (folder, rest) = (FolderOfPath.of(path), [RealPlace.name(path)])
    while FileIdentity(at: folder) == nil && folder != "/" && !folder.isEmpty {
      rest.append(RealPlace.name(folder))
      folder = FolderOfPath.of(folder)
    }
    self.folder = FileIdentity(at: folder.isEmpty ? "." : folder)
    self.rest = rest.map { RealPlace.ignoresCase(folder) ? $0.lowercased() : $0 }
  }

  /// Whether it is a folder's own place or lies in it at any depth. The folder need not exist.
  func isWithin(_ other: RealPlace) -> Bool {
    if let there = FileIdentity(at: other.path) {
      return FileIdentity(at: path) == there || folders.contains(there)
    }
    return folder == other.folder && rest.suffix(other.rest.count) == other.rest[...]
  }

  /// The folders around it that exist, nearest first.
  private var folders: [FileIdentity] {
    var found: [FileIdentity] = []
    var place = path
    while place != "/" && !place.isEmpty {
      place = FolderOfPath.of(place)
      if let folder = FileIdentity(at: place.isEmpty ? "." : place) { found.append(folder) }
    }
    return found
  }

  static func == (left: RealPlace, right: RealPlace) -> Bool {
    left.folder == right.folder && left.rest == right.rest
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(folder)
    hasher.combine(rest)
  }

  private static func resolve(_ path: String, linksLeft: Int) -> String {
    if let real = unsafe realpath(path, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    let folder = FolderOfPath.of(path)
    if folder == path || path.isEmpty { return path }
    // A link that leads nowhere: what is written through it comes to stand where it leads.
    if linksLeft > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    {
      let whole = target.hasPrefix("/") ? target : "\(folder.isEmpty ? "." : folder)/\(target)"
      return resolve(whole, linksLeft: linksLeft - 1)
    }
    let parent = resolve(folder.isEmpty ? "." : folder, linksLeft: linksLeft)
    // What is not there yet will be no link, so that `..` is the folder that is named before it.
    switch name(path) {
    case ".": return parent
    case "..": return FolderOfPath.of(parent)
    case let name: return "\(parent == "/" ? "" : parent)/\(name)"
    }
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  private static func ignoresCase(_ folder: String) -> Bool {
    #if canImport(Darwin)
      return pathconf(folder, _PC_CASE_SENSITIVE) == 0
    #else
      return false
    #endif
  }
}
