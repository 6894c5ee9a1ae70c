/// A stretch of a stream that can be looked at before it is consumed.
///
///     buffer: |  consumed  |  bytes (start ..< end)  |  free  |
///
/// Invariants: `0 <= start <= end <= capacity`; `buffer` holds `capacity` bytes, of which those in
/// `start ..< end` are initialised; `position` is the stream offset of `start`.
@safe final class InputWindow {
  static let capacity = 1 << 18
  /// How much is read at once: what was read last stays in the cache until it is inflated.
  private static let readBytes = 1 << 16

  private let upstream: ByteStream
  private let buffer: UnsafeMutableRawPointer
  private var start = 0
  private var end = 0
  /// How many bytes have been consumed since the stream's beginning.
  private(set) var position = 0
  private var isAtEnd = false

  init(_ upstream: ByteStream) {
    self.upstream = upstream
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 64)
  }

  deinit {
    unsafe buffer.deallocate()
  }

  var count: Int { end - start }

  /// What can be looked at now; valid until the next call of a mutating method.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: buffer + start, count: end - start)
  }

  /// Tries to have at least `wanted` (at most `capacity`) bytes; false if the stream ends before.
  func require(_ wanted: Int) throws -> Bool {
    if wanted > Self.capacity { return false }
    while count < wanted {
      if isAtEnd { return false }
      if start > 0 {
        unsafe buffer.copyMemory(from: buffer + start, byteCount: count)
        end -= start
        start = 0
      }
      switch try unsafe upstream.read(
        into: UnsafeMutableRawBufferPointer(
          start: buffer + end, count: min(Self.capacity - end, Self.readBytes)))
      {
      case .bytes(let count): end += count
      case .memberEnd: break
      case .damage, .end: isAtEnd = true
      }
    }
    return true
  }

  /// `wanted` must not be more than `count`.
  func consume(_ wanted: Int) {
    let taken = min(max(wanted, 0), count)
    start += taken
    position += taken
  }

  /// Copies bytes out, from the window first, then straight from the stream.
  func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
    if count > 0 {
      let taken = min(count, target.count)
      unsafe target.baseAddress?.copyMemory(from: buffer + start, byteCount: taken)
      consume(taken)
      return taken
    }
    while !isAtEnd {
      switch try unsafe upstream.read(into: target) {
      case .bytes(let count):
        position += count
        return count
      case .memberEnd: break
      case .damage, .end: isAtEnd = true
      }
    }
    return 0
  }
}
