#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Synchronization

/// A file that is written whole before it replaces the one at its place.
///
/// It is written beside its place under another name and then renamed, so that a run that ends
/// before leaves the old file. The name beside, `.NAME.firstmile.part`, is nobody else's: what
/// stands there (a killed run's, or a link that somebody put there) is removed and never written
/// through.
package final class Replacement: Sendable {
  private let place: String
  private let aside: String
  private let identity: FileIdentity?
  private let output: Mutex<RawOutput>
  /// By which `UnfinishedFiles` knows it.
  private let number: Int

  /// Makes the file beside.
  ///
  /// - Parameter isPrivate: whether only its owner may read it; otherwise it takes over the
  ///   permissions of the file it replaces.
  /// - Throws: `InputProblem` if there is no writing there.
  package init(of place: String, isPrivate: Bool = false) throws {
    self.place = place
    let aside = AsideName.of(place, beginning: ".", ending: ".firstmile.part")
    self.aside = aside
    let file: RawOutput
    (file, number) = try UnfinishedFiles.add {
      unsafe unlink(aside)
      let file = try RawOutput(path: aside, permissions: isPrivate ? 0o600 : 0o666)
      let identity = file.identity
      return (file, { Self.remove(aside, identity) })
    }
    if !isPrivate, let old = FileIdentity(at: place), old.isRegular {
      file.setPermissions(old.permissions)
    }
    identity = file.identity
    output = Mutex(file)
  }

  deinit { UnfinishedFiles.remove(number) }

  /// Adds to the end.
  package func write(_ bytes: [UInt8]) throws {
    try output.withLock { output in
      try unsafe bytes.withUnsafeBytes { try unsafe output.append($0) }
    }
  }

  /// Says that all is written; nothing can be added after it.
  package func close() throws { try output.withLock { try $0.close() } }

  /// Puts the file into its place.
  ///
  /// - Throws: `InputProblem`; the file at the place is then the old one.
  package func putInPlace() throws {
    try close()
    // Another run may have removed it and begun one of its own.
    guard FileIdentity(at: aside, followingLinks: false) == identity else {
      throw InputProblem(
        name: place, message: "cannot be replaced: '\(aside)' was removed by another process")
    }
    guard unsafe rename(aside, place) == 0 else {
      throw InputProblem(name: place, message: "cannot be replaced: \(systemMessage(errno))")
    }
  }

  /// Removes what is written; waits for no thread that still writes.
  package func discard() { Self.remove(aside, identity) }

  private static func remove(_ aside: String, _ identity: FileIdentity?) {
    if FileIdentity(at: aside, followingLinks: false) == identity { unsafe unlink(aside) }
  }
}
