/// An id's text in a line, or in the scratch room: as long as that is not used again.
///
/// Its parts are asked for every event, and those of a buffer come by calls in functions as large
/// as those that ask.
///
/// Invariant: `count` bytes stand at `start`, and as many more may be read as the block's padding
/// or the room's allows.
@safe struct IdentifierText {
  let start: UnsafePointer<UInt8>
  let count: Int

  @inline(__always)
  init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// A text that was made plain; nil for a buffer of nothing.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return nil }
    unsafe self.init(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }

  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}
