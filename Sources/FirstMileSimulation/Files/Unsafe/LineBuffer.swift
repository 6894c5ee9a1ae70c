/// Bytes of lines to be, in memory that is used again and again.
///
/// The one place with a pointer of its own: an array's `append` costs more than the byte it writes.
/// Invariant: `count <= capacity`; every method makes room before it writes.
@safe final class LineBuffer {
  private(set) var count = 0
  private var capacity: Int
  private var base: UnsafeMutablePointer<UInt8>

  init(capacity: Int) {
    self.capacity = max(4_096, capacity)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  func removeAll() { count = 0 }

  /// Forgets all bytes from the given count on.
  func truncate(to shorter: Int) { count = min(count, max(0, shorter)) }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeBufferPointer(start: base, count: count))
  }

  func append(_ byte: UInt8) {
    makeRoom(1)
    unsafe base[count] = byte
    count += 1
  }

  func append(_ bytes: [UInt8]) {
    makeRoom(bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + count).update(from: start, count: source.count)
    }
    count += bytes.count
  }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    makeRoom(bytes.count)
    guard let start = bytes.baseAddress else { return }
    unsafe (base + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  /// A number without sign, with zeros in front up to `width` digits.
  func append(number: Int64, width: Int = 1) {
    makeRoom(20)
    var digits = 1
    var bound: Int64 = 10
    while digits < 19, number >= bound {
      digits += 1
      bound = bound.multipliedReportingOverflow(by: 10).partialValue
    }
    let length = max(digits, min(width, 20))
    var rest = max(0, number)
    for place in stride(from: length - 1, through: 0, by: -1) {
      unsafe base[count + place] = UInt8(48 + rest % 10)
      rest /= 10
    }
    count += length
  }

  /// 128 bits as 8-4-4-4-12 hexadecimal digits.
  func append(uuid high: UInt64, _ low: UInt64) {
    makeRoom(36)
    var at = unsafe base + count
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 {
        unsafe at.pointee = 45
        unsafe at += 1
      }
      let word = place < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (place & 15))) & 15
      unsafe at.pointee = digit < 10 ? 48 + digit : 87 + digit
      unsafe at += 1
    }
    count += 36
  }

  private func makeRoom(_ more: Int) {
    guard count + more > capacity else { return }
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe moved.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }
}
