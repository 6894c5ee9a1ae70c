#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import COpenSSL

/// A file or standard input as it lies on disk; digests what it reads.
///
/// Invariants: `file` is open as long as the object lives (standard input is never closed);
/// `digest` is the SHA-256 state over exactly the first `bytesRead` bytes.
final class RawFile: ByteStream {
  private let name: String
  private let file: Int32
  /// For programs that read it in this one's place; open as long as this object.
  var descriptor: Int32 { file }
  private let ownsFile: Bool
  private let digest: OpaquePointer?
  private(set) var bytesRead = 0

  /// Throws an `InputProblem` if the source can't be opened or is a folder.
  init(_ source: InputSource) throws {
    name = source.name
    switch source.kind {
    case .standardInput:
      file = STDIN_FILENO
      ownsFile = false
    case .file(let path):
      file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
      ownsFile = true
      guard file >= 0 else {
        throw InputProblem(
          name: source.name, message: "cannot be opened: \(systemMessage(errno))")
      }
    }
    digest = EVP_MD_CTX_new()
    _ = EVP_DigestInit_ex(digest, EVP_sha256(), nil)
  }

  deinit {
    EVP_MD_CTX_free(digest)
    if ownsFile { close(file) }
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while true {
      let count = Self.readFile(file, target)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw InputProblem(name: name, message: "cannot be read: \(systemMessage(errno))")
      }
      if count == 0 { return .end }
      _ = EVP_DigestUpdate(digest, target.baseAddress, count)
      bytesRead += count
      return .bytes(count)
    }
  }

  /// SHA-256 of all bytes, in hexadecimal. Reads what decompression has left over; ends the digest.
  func finishDigest() throws -> String {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes = try chunk.withUnsafeMutableBytes({ try read(into: $0) }) {}
    var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    _ = EVP_DigestFinal_ex(digest, &value, &count)
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: value.prefix(Int(count)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  private static func readFile(_ file: Int32, _ target: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(file, target.baseAddress, target.count)
    #else
      Darwin.read(file, target.baseAddress, target.count)
    #endif
  }
}
