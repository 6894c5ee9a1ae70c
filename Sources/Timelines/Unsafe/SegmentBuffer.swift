internal import EventInput

/// Bytes on their way into a segment: records are appended whole, chunks are taken out.
///
/// Invariants: `start` points at `capacity` bytes, of which the first `count` are initialised.
/// Owned by one writer at a time.
final class SegmentBuffer {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  func removeAll() { count = 0 }

  /// Appends one record: head with the length of the body, body.
  ///
  /// - Parameter atMost: bytes that `body` writes at most, fewer than 2¹⁶.
  @inline(__always)
  func append(_ head: RecordHead, atMost: Int, body: (inout ByteWriter) -> Void) {
    reserve(RecordHead.maximumBytes + atMost)
    var writer = ByteWriter(at: start + self.count)
    let hasPartner = !head.partner.isMissing
    writer.append(head.key.high)
    writer.append(head.key.low)
    let count = UInt16(truncatingIfNeeded: head.count)
    writer.append(hasPartner ? count | RecordHead.partnerMark : count)
    let length = writer.next
    writer.append(UInt16(0))
    if hasPartner {
      writer.append(head.partner.high)
      writer.append(head.partner.low)
    }
    let first = writer.next
    body(&writer)
    var back = ByteWriter(at: length)
    back.append(UInt16(truncatingIfNeeded: writer.next - first))
    self.count = writer.next - start
  }

  private func reserve(_ bytes: Int) {
    guard count + bytes > capacity else { return }
    capacity = max(capacity * 2, count + bytes)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = larger
  }
}
