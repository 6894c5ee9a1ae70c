package import EventInput
internal import Foundation
internal import Timelines

/// The lines that could not be used, beside a store or a folder of segments: `STORE-rejects/`, one
/// file a source (mode 0600, in a folder of mode 0700). They hold raw ids, which stores and
/// segments never do.
///
/// A store that is reached through a link has them where it really lies.
package struct RejectsFolder: Sendable {
  package let path: String
  private let owner: String

  /// - Parameter owner: the store, or the folder of segments.
  package init(beside owner: String) {
    var real = owner
    if let found = unsafe realpath(owner, nil) {
      real = unsafe String(cString: found)
      unsafe free(found)
    }
    self.owner = real
    path = "\(real)-rejects"
  }

  /// Where the rejects of a task of `partition` stand.
  package func file(task: String) -> String { "\(path)/\(task)-rejects.ndjson" }

  /// Where a source's rejects stand once it is in.
  func file(digest: String) -> String { "\(path)/\(digest.prefix(32))-rejects.ndjson" }

  /// Makes the folder, or makes one that is there private, and clears away what killed runs left
  /// in it.
  ///
  /// - Throws: `StoreError` where the folder is somebody else's, or no folder: who else could read
  ///   the raw ids in it can't be known then.
  package func prepare() throws {
    if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw StoreError.rejects(path, systemMessage(errno))
    }
    try makePrivate()
    removeAbandoned()
  }

  /// Clears away what killed runs left: lines as they were read.
  func removeAbandoned() { UnfinishedFolder.removeAbandoned(in: path) }

  private func makePrivate() throws {
    // Not through a link, which may be changed while it is asked about.
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0, let found = FileIdentity(descriptor: folder) else {
      throw StoreError.rejects(
        path,
        [ELOOP, ENOTDIR].contains(errno) ? "it is no folder" : systemMessage(errno))
    }
    defer { close(folder) }
    // The superuser may write to a store of somebody else, whose folder it then is.
    let owners = [geteuid()] + (geteuid() == 0 ? [FileIdentity(at: owner)?.owner] : [])
    guard owners.contains(found.owner) else {
      throw StoreError.rejects(path, "the folder belongs to another user")
    }
    guard found.permissions & 0o077 != 0 else { return }
    guard fchmod(folder, 0o700) == 0 else {
      throw StoreError.rejects(
        path,
        "others can read the folder, and that can't be changed: \(systemMessage(errno))"
      )
    }
  }

  /// For one source that is being read.
  package func begin() throws -> (writer: RejectWriter, folder: UnfinishedFolder) {
    let folder = try UnfinishedFolder(in: path)
    return (try RejectWriter(path: whole(folder)), folder)
  }

  /// Puts a source's rejects into place, without those of forgotten persons; where there are none,
  /// no file.
  func keep(
    _ writer: RejectWriter, _ folder: UnfinishedFolder, of source: InputSource, digest: String,
    forgetting search: RejectSearch
  ) throws {
    try keep(writer, folder, of: source, at: file(digest: digest)) {
      // Though nothing may be left: that a file is missing means that it is somewhere else.
      _ = try erase(whole(folder), search)
    }
  }

  /// Puts the rejects of a task into the place of those of its last run; where there are none, no
  /// file.
  package func keep(
    _ writer: RejectWriter, _ folder: UnfinishedFolder, of source: InputSource, task: String
  ) throws {
    try keep(writer, folder, of: source, at: file(task: task)) {}
  }

  private func keep(
    _ writer: RejectWriter, _ folder: UnfinishedFolder, of source: InputSource, at place: String,
    _ prepared: () throws -> Void
  ) throws {
    guard try writer.finish(order: [source]) > 0 else {
      unsafe unlink(place)
      return
    }
    try prepared()
    try move(whole(folder), to: place)
  }

  /// Removes what is kept of a source.
  func remove(digest: String) { unsafe unlink(file(digest: digest)) }

  func move(_ file: String, to place: String) throws {
    guard unsafe rename(file, place) == 0 else {
      throw StoreError.rejects(path, systemMessage(errno))
    }
  }

  /// All lines of a source, before they are in place.
  private func whole(_ folder: UnfinishedFolder) -> String { "\(folder.path)/rejects" }

  /// Which rejected lines should be here, by the sources of the store, and are not.
  func missing(of sources: [StoredSource]) -> FactStore.MissingRejects? {
    let missing = sources.filter {
      $0.summary.rejects > 0 && !$0.isGone
        && FileIdentity(at: file(digest: $0.digest)) == nil
    }
    guard !missing.isEmpty else { return nil }
    return FactStore.MissingRejects(
      folder: path, sources: missing.count,
      lines: missing.reduce(0) { $0 + $1.summary.rejects })
  }
}
