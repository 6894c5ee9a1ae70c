#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's words for an error number; for a full disk the words that all messages use.
package func systemMessage(_ code: Int32) -> String {
  unsafe code == ENOSPC ? "no space left on the device" : String(cString: strerror(code))
}

/// A new file, or the end of one, written through a buffer: the only way in which files are opened
/// for writing here and to the right of here.
///
/// Invariant: `file` is open from `init` to `close`, and closed exactly once.
package final class RawOutput {
  private static let bufferBytes = 1 << 16
  private let path: String
  private var file: Int32
  private var buffer: [UInt8] = []

  /// Makes a file where there is none; private unless other permissions are given.
  ///
  /// - Throws: `InputProblem`, also where something stands already, even a link that leads nowhere.
  package init(path: String, permissions: UInt32 = 0o600) throws {
    self.path = path
    file = unsafe open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(permissions))
    guard file >= 0 else { throw problem() }
    buffer.reserveCapacity(Self.bufferBytes)
  }

  /// Opens what is there to add to its end, or makes a file.
  package init(appendingTo path: String) throws {
    self.path = path
    file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw problem() }
  }

  /// Which file it is that was opened.
  package var identity: FileIdentity? { FileIdentity(descriptor: file) }

  func setPermissions(_ permissions: UInt32) { _ = fchmod(file, mode_t(permissions)) }

  deinit {
    if file >= 0 { _ = Self.closeFile(file) }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    if buffer.count + bytes.count > Self.bufferBytes { try flush() }
    if bytes.count > Self.bufferBytes {
      try unsafe write(bytes)
    } else {
      unsafe buffer.append(contentsOf: bytes)
    }
  }

  /// Copies a file to the end of this one and returns its size; a missing file is empty.
  func append(contentsOf path: String) throws -> Int {
    let input = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return 0 }
    defer { _ = Self.closeFile(input) }
    try flush()
    var total = 0
    var chunk = [UInt8](repeating: 0, count: Self.bufferBytes)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(input, $0.baseAddress, $0.count)
      }
      if count < 0 { throw problem() }
      if count == 0 { return total }
      total += count
      try unsafe chunk.withUnsafeBytes {
        try unsafe write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
  }

  package func close() throws {
    guard file >= 0 else { return }
    try flush()
    let result = Self.closeFile(file)
    file = -1
    if result != 0 { throw problem() }
  }

  private func flush() throws {
    try unsafe buffer.withUnsafeBytes { try unsafe write($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe Self.writeFile(file, rest)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { throw problem() }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  private func problem() -> InputProblem {
    InputProblem(name: path, message: "cannot be written: \(systemMessage(errno))")
  }

  private static func writeFile(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
    #else
      unsafe Darwin.write(file, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func closeFile(_ file: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(file)
    #else
      Darwin.close(file)
    #endif
  }
}
