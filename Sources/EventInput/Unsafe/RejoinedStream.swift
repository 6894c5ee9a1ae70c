/// Bytes that were read already, and then those of the stream that they came from.
final class RejoinedStream: ByteStream {
  private var beginning: [UInt8]
  private let rest: ByteStream
  private var pending: ReadResult?

  /// - Parameter result: what the stream returned after those bytes, if it was read further.
  init(_ beginning: UnsafeRawBufferPointer, then result: ReadResult?, _ rest: ByteStream) {
    self.beginning = unsafe Array(beginning)
    self.rest = rest
    pending = result
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    if !beginning.isEmpty {
      let count = min(beginning.count, target.count)
      unsafe beginning.prefix(count).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
      beginning.removeFirst(count)
      return .bytes(count)
    }
    if let result = pending {
      pending = nil
      return result
    }
    return try unsafe rest.read(into: target)
  }
}
