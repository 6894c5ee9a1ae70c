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
final class ZlibInflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isRaw: Bool

  init(raw: Bool) {
    isRaw = raw
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    _ = inflateInit2_(
      stream, raw ? -15 : 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Makes ready for the next member.
  func reset() {
    inflateReset(stream)
  }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> InflateStep {
    let source = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: source)
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    let result = inflate(stream, Z_NO_FLUSH)
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
    return InflateStep(
      consumed: input.count - Int(stream.pointee.avail_in),
      produced: output.count - Int(stream.pointee.avail_out), state: state)
  }

  private var message: String {
    stream.pointee.msg.map { String(cString: $0) } ?? "cannot be inflated"
  }
}

#if ISAL
  /// Inflates gzip members with ISA-L, which does it about twice as fast as zlib.
  ///
  /// Header, trailer and checksum are ISA-L's work (`crc_flag` is `ISAL_GZIP`). `state` is
  /// initialised once and reset between members.
  final class IsalInflater {
    private let state: UnsafeMutablePointer<inflate_state>

    init() {
      state = .allocate(capacity: 1)
      isal_inflate_init(state)
      state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    deinit {
      state.deallocate()
    }

    /// Makes ready for the next member.
    func reset() {
      isal_inflate_reset(state)
      state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    func step(
      _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> InflateStep {
      let source = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      state.pointee.next_in = UnsafeMutablePointer(mutating: source)
      state.pointee.avail_in = UInt32(input.count)
      state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      state.pointee.avail_out = UInt32(output.count)
      let result = isal_inflate(state)
      let consumed = input.count - Int(state.pointee.avail_in)
      let produced = output.count - Int(state.pointee.avail_out)
      return InflateStep(consumed: consumed, produced: produced, state: meaning(of: result))
    }

    private func meaning(of result: Int32) -> InflateStep.State {
      switch result {
      case ISAL_DECOMP_OK, ISAL_END_INPUT, ISAL_OUT_OVERFLOW:
        state.pointee.block_state == ISAL_BLOCK_FINISH ? .memberEnd : .running
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
