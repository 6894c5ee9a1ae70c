import CFirstMileZlib
import CFirstMileZstd
import Foundation

/// Packs bytes for tests, with the libraries themselves.
enum Packing {
  static func deflate(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    deflateInit2_(
      stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 1024)
    let count = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.pointee.next_in = source.baseAddress
        stream.pointee.avail_in = UInt32(source.count)
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = UInt32(target.count)
        _ = CFirstMileZlib.deflate(stream, Z_FINISH)
        return target.count - Int(stream.pointee.avail_out)
      }
    }
    return Array(output[..<count])
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] { deflate(bytes, windowBits: 31) }

  static func zstd(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = ZSTD_compress(&output, output.count, bytes, bytes.count, 3)
    return Array(output[..<count])
  }

  struct Member {
    var name: String
    var bytes: [UInt8]
    var isDeflated = true
    /// Sizes and checksum after the data, as programs that write to a pipe do.
    var hasDescriptor = false
  }

  static func zip(_ members: [Member]) -> [UInt8] {
    var archive: [UInt8] = []
    for member in members {
      let packed = member.isDeflated ? deflate(member.bytes, windowBits: -15) : member.bytes
      let checksum = UInt32(crc32(0, member.bytes, UInt32(member.bytes.count)))
      let sizes = word(checksum) + word(UInt32(packed.count)) + word(UInt32(member.bytes.count))
      archive += [0x50, 0x4B, 3, 4, 20, 0, member.hasDescriptor ? 8 : 0, 0]
      archive += [member.isDeflated ? 8 : 0, 0, 0, 0, 0, 0]
      archive += member.hasDescriptor ? [UInt8](repeating: 0, count: 12) : sizes
      archive += [UInt8(member.name.utf8.count), 0, 0, 0] + Array(member.name.utf8)
      archive += packed
      if member.hasDescriptor { archive += [0x50, 0x4B, 7, 8] + sizes }
    }
    return archive + [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)
  }

  private static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
