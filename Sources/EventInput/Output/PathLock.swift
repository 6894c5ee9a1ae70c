#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A folder, or a file, that this process alone has locked.
///
/// The lock ends with its owner: the system gives it back however the process ends, and there is
/// nothing on disk that could be left. It keeps out only those who ask for it, too.
package final class PathLock: Sendable {
  /// Why there is no lock.
  package enum Refusal: Error {
    /// Another process, or another lock of this one, has it.
    case isTaken
    case isGone
    /// It can't be opened, or the file system has no locks; with the system's number.
    case isImpossible(Int32)
  }

  private let descriptor: Int32

  /// Opens what is there and locks it, without waiting.
  package init(_ path: String) throws(Refusal) {
    let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else {
      throw errno == ENOENT ? .isGone : .isImpossible(errno)
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      _ = close(opened)
      throw reason == EWOULDBLOCK ? .isTaken : .isImpossible(reason)
    }
    descriptor = opened
  }

  deinit { _ = close(descriptor) }

  /// Whether what is locked lies there: it may have been removed before it was locked, and another
  /// been made in its place.
  package func isOfWhatLies(at path: String) -> Bool {
    FileIdentity(descriptor: descriptor) == FileIdentity(at: path)
  }
}
