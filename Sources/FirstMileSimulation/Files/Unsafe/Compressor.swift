import CFirstMileZlib
import CFirstMileZstd

/// Turns bytes into bytes of a file.
protocol Compressor: AnyObject {
  /// Takes in bytes, the last ones with `isLast`, and hands on what is ready.
  func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
    into sink: (UnsafeRawBufferPointer) throws(SimulationError) -> Void
  ) throws(SimulationError)
}

extension SimulationPlan.Compression {
  func makeCompressor() throws(SimulationError) -> any Compressor {
    switch self {
    case .gzip: try GzipCompressor()
    case .zstd: try ZstdCompressor()
    case .none: PlainCompressor()
    }
  }
}

/// No compression.
final class PlainCompressor: Compressor {
  func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
    into sink: (UnsafeRawBufferPointer) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    try unsafe sink(UnsafeRawBufferPointer(bytes))
  }
}

/// One gzip member, without a time or a name in its header.
@safe final class GzipCompressor: Compressor {
  /// On the heap: zlib keeps a pointer back into it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>

  init() throws(SimulationError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(capacity: 1 << 18)
    // Level 3: ids are random and don't get smaller by trying harder.
    let code = unsafe deflateInit2_(
      stream, 3, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw .compression(library: "zlib", code: Int(code)) }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
    into sink: (UnsafeRawBufferPointer) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
    repeat {
      unsafe stream.pointee.next_out = output.baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      let code = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      guard code != Z_STREAM_ERROR else {
        throw .compression(library: "zlib", code: Int(code))
      }
      let made = unsafe output.count - Int(stream.pointee.avail_out)
      try unsafe sink(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<made]))
    } while unsafe stream.pointee.avail_out == 0
  }
}

/// One zstd frame with a checksum.
@safe final class ZstdCompressor: Compressor {
  private let context: OpaquePointer
  private let output: UnsafeMutableBufferPointer<UInt8>

  init() throws(SimulationError) {
    guard let context = unsafe ZSTD_createCCtx() else {
      throw .compression(library: "zstd", code: -1)
    }
    unsafe self.context = context
    unsafe output = .allocate(capacity: 1 << 18)
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3)
  }

  deinit {
    unsafe ZSTD_freeCCtx(context)
    unsafe output.deallocate()
  }

  func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
    into sink: (UnsafeRawBufferPointer) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var isDone = false
    while !isDone {
      var made = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let rest = unsafe ZSTD_compressStream2(
        context, &made, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
      guard ZSTD_isError(rest) == 0 else {
        throw .compression(library: "zstd", code: rest)
      }
      try unsafe sink(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<made.pos]))
      isDone = unsafe isLast ? rest == 0 : input.pos == input.size
    }
  }
}
