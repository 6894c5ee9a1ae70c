#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a pattern matches, and the folders and links on the way that can't be looked into.
struct PatternSearch {
  private(set) var found: [InputPath] = []
  private(set) var problems: [InputProblem] = []
  private let pattern: GlobPattern

  init(_ pattern: GlobPattern) { self.pattern = pattern }

  /// Searches; `found` is then in the order of the bytes, each path once.
  mutating func run() {
    descend(InputPath(pattern.isAbsolute ? "/" : ""), pattern.components[...])
    found = Set(found).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    problems = problems.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private mutating func descend(_ folder: InputPath, _ components: ArraySlice<String>) {
    guard let component = components.first else { return }
    let rest = components.dropFirst()
    if component == "**" {
      // The folder itself stands for all that is in it.
      if rest.isEmpty { return found.append(folder) }
      var seen: Set<FileIdentity> = []
      for inner in folders(under: folder, &seen) { descend(inner, rest) }
      return
    }
    guard GlobPattern.isPattern(component) else {
      return take(folder.appending(InputPath(argument: component).bytes), rest)
    }
    for name in names(in: folder) where GlobPattern.matches(name, component) {
      take(folder.appending(name), rest)
    }
  }

  private mutating func take(_ path: InputPath, _ rest: ArraySlice<String>) {
    switch FileIdentity.look(path) {
    case .success(let file):
      if rest.isEmpty { found.append(path) } else if file.isFolder { descend(path, rest) }
    case .failure(let failure) where failure.number == ENOTDIR: break
    case .failure(let failure):
      guard let reason = InputWalk.reason(path, failure) else { return }
      problems.append(InputProblem(name: path.description, message: reason))
    }
  }

  /// The folder and all in it that are not hidden, each once.
  private mutating func folders(
    under folder: InputPath, _ seen: inout Set<FileIdentity>
  ) -> [InputPath] {
    guard case .success(let identity) = FileIdentity.look(folder.orCurrent),
      seen.insert(identity).inserted
    else { return [] }
    var all = [folder]
    for name in names(in: folder) where name.first != UInt8(ascii: ".") {
      let path = folder.appending(name)
      switch FileIdentity.look(path) {
      case .success(let file) where file.isFolder: all += folders(under: path, &seen)
      case .success: break
      case .failure(let failure):
        guard let reason = InputWalk.reason(path, failure) else { continue }
        problems.append(InputProblem(name: path.description, message: reason))
      }
    }
    return all
  }

  private mutating func names(in folder: InputPath) -> [[UInt8]] {
    let listing = FolderListing(folder)
    if let failure = listing.failure {
      problems.append(
        InputProblem(
          name: folder.orCurrent.description, message: "can't be listed: \(failure.message)"))
    }
    return listing.names
  }
}
