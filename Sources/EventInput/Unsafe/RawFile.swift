import CFirstMileOpenSSL

/// A source as it is stored, wherever that is; digests what it reads.
///
/// Invariant: `digest` is the SHA-256 state over exactly the first `bytesRead` bytes.
final class RawFile: ByteStream {
  private let origin: ByteStream
  /// For programs that read it in this one's place; open as long as this object, and `nil` over the
  /// network and in memory.
  var descriptor: Int32? { (origin as? DescriptorStream)?.file }
  private let digest: OpaquePointer?
  private(set) var bytesRead = 0

  /// Throws an `InputProblem` if the source can't be opened or is a folder.
  init(_ source: InputSource) throws {
    origin =
      switch source.kind {
      case .standardInput: DescriptorStream()
      case .file(let path): try DescriptorStream(path)
      case .remote(let object): object.access.open(object)
      case .memory(let bytes): MemoryStream(bytes)
      }
    digest = EVP_MD_CTX_new()
    _ = EVP_DigestInit_ex(digest, EVP_sha256(), nil)
  }

  deinit {
    EVP_MD_CTX_free(digest)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let result = try origin.read(into: target)
    if case .bytes(let count) = result {
      _ = EVP_DigestUpdate(digest, target.baseAddress, count)
      bytesRead += count
    }
    return result
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
}
