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

  /// Appends one record: head, length of the body, body.
  ///
  /// - Parameter atMost: bytes that `body` writes at most.
  @inline(__always)
  func append(_ head: RecordHead, atMost: Int, body: (inout ByteWriter) -> Void) {
    reserve(RecordHead.byteCount + atMost)
    var writer = ByteWriter(at: start + count)
    writer.append(head.key.high)
    writer.append(head.key.low)
    writer.append(head.count)
    let length = writer.next
    writer.append(UInt32(0))
    let first = writer.next
    body(&writer)
    var back = ByteWriter(at: length)
    back.append(UInt32(truncatingIfNeeded: writer.next - first))
    count = writer.next - start
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
