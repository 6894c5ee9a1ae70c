import CFirstMileZlib

#if ISAL
  import CFirstMileIsal
#endif

/// What a step of inflating did.
struct InflateStep {
  enum State: Equatable {
    case running
    /// The member ended and, for gzip, its checksum was right.
    case memberEnd
    /// The data are broken; what was produced before is good.
    case corrupt(String)
    /// All bytes of the member were produced, but its checksum says they are not what was packed.
    /// So many bytes of its trailer have not been consumed.
    case wrongChecksum(unread: Int)
  }
  var consumed: Int
  var produced: Int
  var state: State
}

/// Inflates gzip members with zlib, or raw deflate data inside a zip.
///
/// The stream lives on the heap because zlib keeps a pointer back to it; `inflateInit2_` is called
/// once in `init` and `inflateEnd` once in `deinit`.
@safe final class ZlibInflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isRaw: Bool

  init(raw: Bool) {
    isRaw = raw
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    _ = unsafe inflateInit2_(
      stream, raw ? -15 : 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Makes ready for the next member.
  func reset() {
    unsafe inflateReset(stream)
  }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> InflateStep {
    let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source)
    unsafe stream.pointee.avail_in = UInt32(input.count)
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(output.count)
    let result = unsafe inflate(stream, Z_NO_FLUSH)
    let state: InflateStep.State
    switch result {
    case Z_OK, Z_BUF_ERROR: state = .running
    case Z_STREAM_END: state = .memberEnd
    case Z_DATA_ERROR where message == "incorrect data check":
      // zlib stops before the four bytes of the length.
      state = .wrongChecksum(unread: 4)
    case Z_DATA_ERROR where message == "incorrect length check":
      state = .wrongChecksum(unread: 0)
    default: state = .corrupt(message)
    }
    return unsafe InflateStep(
      consumed: input.count - Int(stream.pointee.avail_in),
      produced: output.count - Int(stream.pointee.avail_out), state: state)
  }

  private var message: String {
    unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "cannot be inflated"
  }
}

#if ISAL
  /// Inflates gzip members with ISA-L, which does it about twice as fast as zlib.
  ///
  /// Header, trailer and checksum are ISA-L's work (`crc_flag` is `ISAL_GZIP`). `state` is
  /// initialised once and reset between members.
  @safe final class IsalInflater {
    private let state: UnsafeMutablePointer<inflate_state>

    init() {
      unsafe state = .allocate(capacity: 1)
      unsafe isal_inflate_init(state)
      unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    deinit {
      unsafe state.deallocate()
    }

    /// Makes ready for the next member.
    func reset() {
      unsafe isal_inflate_reset(state)
      unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    func step(
      _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> InflateStep {
      let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: source)
      unsafe state.pointee.avail_in = UInt32(input.count)
      unsafe state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe state.pointee.avail_out = UInt32(output.count)
      let result = unsafe isal_inflate(state)
      let consumed = unsafe input.count - Int(state.pointee.avail_in)
      let produced = unsafe output.count - Int(state.pointee.avail_out)
      return InflateStep(consumed: consumed, produced: produced, state: meaning(of: result))
    }

    private func meaning(of result: Int32) -> InflateStep.State {
      switch result {
      case ISAL_DECOMP_OK, ISAL_END_INPUT, ISAL_OUT_OVERFLOW:
        unsafe state.pointee.block_state == ISAL_BLOCK_FINISH ? .memberEnd : .running
      case ISAL_INCORRECT_CHECKSUM: .wrongChecksum(unread: 0)
      case ISAL_INVALID_BLOCK: .corrupt("invalid deflate block")
      case ISAL_INVALID_SYMBOL: .corrupt("invalid deflate symbol")
      case ISAL_INVALID_LOOKBACK: .corrupt("invalid deflate distance")
      case ISAL_INVALID_WRAPPER: .corrupt("invalid gzip header")
      case ISAL_UNSUPPORTED_METHOD: .corrupt("unsupported compression method")
      default: .corrupt("cannot be inflated")
      }
    }
  }

  typealias GzipInflater = IsalInflater
#else
  typealias GzipInflater = ZlibInflater

  extension ZlibInflater {
    convenience init() {
      self.init(raw: false)
    }
  }
#endif
