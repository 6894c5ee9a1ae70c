internal import EventInput
internal import Foundation
internal import Timelines

/// The lines that could not be used, beside the store: `STORE-rejects/`, one file a source (mode
/// 0600, in a folder of mode 0700). They hold raw ids, which the store itself never does.
struct RejectsFolder: Sendable {
  let path: String
  private let store: String

  init(store: String) {
    self.store = store
    path = "\(store)-rejects"
  }

  /// Where a source's rejects stand once it is in.
  func file(digest: String) -> String { "\(path)/\(digest.prefix(32))-rejects.ndjson" }

  /// Makes the folder, or makes one that is there private, and clears away what killed runs left
  /// in it.
  ///
  /// - Throws: `StoreError` where the folder is somebody else's, or no folder: who else could read
  ///   the raw ids in it can't be known then.
  func prepare() throws {
    if mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw StoreError.rejects(path, String(cString: strerror(errno)))
    }
    try makePrivate()
    removeAbandoned()
  }

  /// Clears away what killed runs left: lines as they were read.
  func removeAbandoned() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      let parts = name.split(separator: "-")
      guard name.hasPrefix("reading-"), parts.count > 1, let process = Int32(parts[1]) else {
        continue
      }
      if kill(process, 0) != 0 && errno == ESRCH {
        try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
      }
    }
  }

  private func makePrivate() throws {
    // Not through a link, which may be changed while it is asked about.
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0, let found = FileIdentity(descriptor: folder) else {
      throw StoreError.rejects(
        path,
        [ELOOP, ENOTDIR].contains(errno) ? "it is no folder" : String(cString: strerror(errno)))
    }
    defer { close(folder) }
    // The superuser may write to a store of somebody else, whose folder it then is.
    let owners = [geteuid()] + (geteuid() == 0 ? [FileIdentity(at: store)?.owner] : [])
    guard owners.contains(found.owner) else {
      throw StoreError.rejects(path, "the folder belongs to another user")
    }
    guard found.permissions & 0o077 != 0 else { return }
    guard fchmod(folder, 0o700) == 0 else {
      throw StoreError.rejects(
        path,
        "others can read the folder, and that can't be changed: \(String(cString: strerror(errno)))"
      )
    }
  }

  /// Removes what this process has not put into place yet, for a run that is interrupted.
  func discardUnfinished() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where name.hasPrefix("reading-\(getpid())-") {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  /// For one source that is being read.
  func writer(worker: Int) throws -> RejectWriter {
    try RejectWriter(path: aside(worker: worker))
  }

  /// Puts a source's rejects into place, without those of forgotten persons; where there are none,
  /// no file.
  func keep(
    _ writer: RejectWriter, of source: InputSource, digest: String, worker: Int,
    forgetting forgotten: ForgottenPersons, key: IdentifierKey
  ) throws {
    let size = try writer.finish(order: [source])
    if !forgotten.isEmpty {
      _ = try erase(
        aside(worker: worker), forgotten.users, devices: forgotten.wholeDevices, key: key)
    }
    let place = file(digest: digest)
    if size == 0 {
      unlink(aside(worker: worker))
      unlink(place)
    } else if rename(aside(worker: worker), place) != 0 {
      throw InputProblem(
        name: place, message: "cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  private func aside(worker: Int) -> String { "\(path)/reading-\(getpid())-\(worker)" }
}
