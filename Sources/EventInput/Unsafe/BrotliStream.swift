import CFirstMileBrotli

/// The contents of a brotli stream. It has no mark at its beginning and no checksum: only a file's
/// name says that it is one.
///
/// `state` is made once and freed once.
@safe final class BrotliStream: ByteStream {
  private let window: InputWindow
  private let log: DamageLog
  private let offset: () -> Int
  private let state: OpaquePointer?
  private var isDone = false

  init(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) {
    self.window = window
    self.log = log
    self.offset = offset
    unsafe state = BrotliDecoderCreateInstance(nil, nil, nil)
  }

  deinit {
    unsafe BrotliDecoderDestroyInstance(state)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while !isDone {
      let hasInput = try window.require(1)
      var availableIn = window.count
      var next = unsafe window.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      var availableOut = target.count
      var out = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let result = unsafe BrotliDecoderDecompressStream(
        state, &availableIn, &next, &availableOut, &out, nil)
      window.consume(window.count - availableIn)
      let produced = target.count - availableOut
      switch result {
      case BROTLI_DECODER_RESULT_SUCCESS: isDone = true
      case BROTLI_DECODER_RESULT_ERROR:
        breakOff("the brotli stream is broken")
        return produced > 0 ? .bytes(produced) : .damage
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT where !hasInput:
        breakOff("the brotli stream ends in its middle")
        return produced > 0 ? .bytes(produced) : .damage
      default: break
      }
      if produced > 0 { return .bytes(produced) }
    }
    if isBroken {
      isBroken = false
      return .damage
    }
    return .end
  }

  /// Whether the next read has to return the damage.
  private var isBroken = false

  private func breakOff(_ message: String) {
    log.add(at: offset(), message)
    isDone = true
    isBroken = true
  }
}
