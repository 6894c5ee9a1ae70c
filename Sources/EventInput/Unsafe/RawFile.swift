/// A source as it is stored, wherever that is; digests what it reads.
///
/// Invariant: `digest` is over exactly the first `bytesRead` bytes.
final class RawFile: ByteStream {
  private let origin: ByteStream
  /// For programs that read it in this one's place; open as long as this object, and `nil` over the
  /// network and in memory.
  var descriptor: Int32? { (origin as? DescriptorStream)?.file }
  private let digest: RunningDigest
  /// How long the file was when it was opened; 0 for what has no length.
  private let openedBytes: Int
  private(set) var bytesRead = 0

  /// Throws an `InputProblem` if the source can't be opened or is a folder.
  init(_ source: InputSource, digest kind: SourceDigest.Kind) throws {
    origin =
      switch source.kind {
      case .standardInput: DescriptorStream()
      case .file(let path): try DescriptorStream(path)
      case .remote(let object): object.access.open(object)
      case .memory(let bytes): MemoryStream(bytes)
      }
    digest = RunningDigest(kind)
    if case .file = source.kind, let file = (origin as? DescriptorStream)?.file,
      let found = FileIdentity(descriptor: file), found.isRegular
    {
      openedBytes = found.length
    } else {
      openedBytes = 0
    }
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let result = try unsafe origin.read(into: target)
    if case .bytes(let count) = result {
      unsafe digest.add(UnsafeRawBufferPointer(rebasing: target[..<count]))
      bytesRead += count
    }
    return result
  }

  /// The digest of all bytes. Reads what decompression has left over; ends the digest.
  func finishDigest() throws -> SourceDigest {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes = try unsafe chunk.withUnsafeMutableBytes({ try unsafe read(into: $0) }) {}
    return digest.finish()
  }

  /// That some of the file went away while it was read; `nil` for one that was read to the end that
  /// it had when it was opened, or further.
  var shortening: InputDamage? {
    guard bytesRead < openedBytes else { return nil }
    return InputDamage(
      byteOffset: bytesRead,
      message: "the file ended here, and had \(openedBytes) bytes when it was opened: it became "
        + "shorter while it was read, so events may be missing; read it again when it is whole")
  }
}
