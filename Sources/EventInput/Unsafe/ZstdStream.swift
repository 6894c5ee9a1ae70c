import CFirstMileZstd

/// The contents of zstd frames, one after the other; skippable frames are skipped by the library.
///
/// `context` is made once and freed once. After a broken frame nothing more is read: frames carry
/// no mark that is safe to search for.
@safe final class ZstdStream: ByteStream {
  private let window: InputWindow
  private let log: DamageLog
  private let offset: () -> Int
  private let context: OpaquePointer?
  /// Whether a frame has begun that has not ended.
  private var isInFrame = false
  private var mayHoldOutput = false
  private var isDone = false
  private var isFrameEndPending = false
  /// What the library wants to see next: with just that it does one block a call, and an error
  /// takes no good block along.
  private var wantedBytes = 5

  init(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) {
    self.window = window
    self.log = log
    self.offset = offset
    unsafe context = ZSTD_createDCtx()
  }

  deinit {
    unsafe ZSTD_freeDCtx(context)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while !isDone {
      if isFrameEndPending {
        isFrameEndPending = false
        return .memberEnd
      }
      if !mayHoldOutput, try !window.require(1) { return finish() }
      let source = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(max(1, wantedBytes)))
      var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
      let result = unsafe ZSTD_decompressStream(context, &output, &input)
      unsafe window.consume(input.pos)
      if ZSTD_isError(result) != 0 {
        let message = unsafe String(cString: ZSTD_getErrorName(result))
        log.add(at: offset(), "a zstd frame is broken: \(message)")
        isDone = true
        return .damage
      }
      isInFrame = result != 0
      wantedBytes = isInFrame ? result : 5
      isFrameEndPending = result == 0
      // Output that did not fit stays inside until the next call.
      mayHoldOutput = unsafe isInFrame && output.pos == output.size
      if unsafe output.pos > 0 { return unsafe .bytes(output.pos) }
      if unsafe mayHoldOutput && input.pos == 0 { mayHoldOutput = false }
    }
    return .end
  }

  private func finish() -> ReadResult {
    isDone = true
    guard isInFrame else { return .end }
    log.add(at: offset(), "the zstd data end in the middle of a frame")
    return .damage
  }
}
