/// Room for text that is rewritten: escapes undone, numbers in plain digits.
///
/// Invariant: `bytes` has `capacity` bytes and 64 more that may be read, all initialised. What was
/// written is valid until the next call of `room`.
@safe struct ScratchBuffer {
  private static let padding = 64
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  init() {
    capacity = 4096
    unsafe bytes = Self.allocate(capacity)
  }

  func deallocate() {
    unsafe bytes.deallocate()
  }

  /// At least `count` bytes; may move what was there.
  @inline(__always)
  mutating func room(for count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > capacity { grow(to: count) }
    return unsafe bytes
  }

  @inline(never)
  private mutating func grow(to count: Int) {
    unsafe bytes.deallocate()
    capacity = count * 2
    unsafe bytes = Self.allocate(capacity)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + padding)
    unsafe bytes.initialize(repeating: 0, count: capacity + padding)
    return unsafe bytes
  }
}
