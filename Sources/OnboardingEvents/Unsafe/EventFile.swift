#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that lines are added to.
///
/// Invariant: `descriptor` is open until `finish` or `remove`, and no longer than the object lives.
final class EventFile {
  private let path: String
  private var descriptor: Int32
  private(set) var byteCount = 0

  /// Makes the file, or goes on with one that a crash left behind; a line that was cut off there is
  /// ended, so that it spoils no other.
  init(_ path: String) throws(EventWriterError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, operation: "open", code: errno) }
    byteCount = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    var last = UInt8(ascii: "\n")
    if byteCount > 0, unsafe pread(descriptor, &last, 1, off_t(byteCount - 1)) == 1,
      last != UInt8(ascii: "\n")
    {
      try append([UInt8(ascii: "\n")])
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Adds all bytes or, where that fails, takes back those that were added.
  func append(_ bytes: [UInt8]) throws(EventWriterError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        if written > 0 { _ = ftruncate(descriptor, off_t(byteCount)) }
        throw .file(path: path, operation: "write", code: code)
      }
      written += count
    }
    byteCount += written
  }

  /// Closes the file under the name that says it is whole.
  func finish(as name: String) throws(EventWriterError) {
    guard unsafe rename(path, name) == 0 else {
      throw .file(path: name, operation: "rename", code: errno)
    }
    end()
  }

  /// Takes the file away.
  func remove() throws(EventWriterError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw .file(path: path, operation: "unlink", code: errno)
    }
    end()
  }

  private func end() {
    close(descriptor)
    descriptor = -1
  }
}
