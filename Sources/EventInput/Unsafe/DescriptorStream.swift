#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file or standard input as it lies on disk.
///
/// Invariant: `file` is open as long as the object lives; standard input is never closed.
final class DescriptorStream: ByteStream {
  private let name: String
  let file: Int32
  private let ownsFile: Bool

  /// Standard input.
  override init() {
    (name, file, ownsFile) = ("-", STDIN_FILENO, false)
  }

  /// Throws an `InputProblem` if the file can't be opened.
  init(_ path: InputPath) throws {
    name = path.description
    file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    ownsFile = true
    guard file >= 0 else {
      throw InputProblem(name: name, message: "cannot be opened: \(systemMessage(errno))")
    }
  }

  deinit {
    if ownsFile { close(file) }
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while true {
      let count = unsafe Self.readFile(file, target)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw InputProblem(name: name, message: "cannot be read: \(systemMessage(errno))")
      }
      return count == 0 ? .end : .bytes(count)
    }
  }

  private static func readFile(_ file: Int32, _ target: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(file, target.baseAddress, target.count)
    #else
      unsafe Darwin.read(file, target.baseAddress, target.count)
    #endif
  }
}
