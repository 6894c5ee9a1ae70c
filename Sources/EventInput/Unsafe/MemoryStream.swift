/// Bytes that are in memory already, handed out in pieces.
final class MemoryStream: ByteStream {
  private let bytes: InMemoryBytes
  /// How many were handed out: never more than there are.
  private var position = 0

  init(_ bytes: InMemoryBytes) {
    self.bytes = bytes
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let count = min(target.count, bytes.content.count - position)
    if count == 0 { return .end }
    unsafe target.copyBytes(from: bytes.content[position..<position + count])
    position += count
    return .bytes(count)
  }
}
