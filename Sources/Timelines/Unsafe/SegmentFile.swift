#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Synchronization

/// A private file that many threads append chunks to and read chunks from.
///
/// Invariants: `descriptor` is open from `init` to `deinit`; every chunk handed out by `append`
/// lies wholly below `end` and is never written again.
final class SegmentFile: Sendable {
  /// A part of the file, and what it must hash to.
  struct Chunk: Sendable {
    var offset: Int
    var count: Int
    var checksum: UInt64
  }

  let path: String
  private let descriptor: Int32
  private let end = Atomic<Int>(0)

  init(creating path: String) throws(SpillError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SegmentFile.error(path, errno) }
  }

  /// A device or file that exists already.
  init(opening path: String) throws(SpillError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw SegmentFile.error(path, errno) }
  }

  deinit { close(descriptor) }

  /// How many bytes were written.
  var byteCount: Int { end.load(ordering: .relaxed) }

  func append(_ bytes: UnsafeRawBufferPointer) throws(SpillError) -> Chunk {
    let offset = end.wrappingAdd(bytes.count, ordering: .relaxed).oldValue
    var written = 0
    while written < bytes.count {
      let result = unsafe pwrite(
        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
        off_t(offset + written))
      if result < 0 && errno == EINTR { continue }
      guard result > 0 else { throw SegmentFile.error(path, result == 0 ? ENOSPC : errno) }
      written += result
    }
    return unsafe Chunk(offset: offset, count: bytes.count, checksum: SegmentFile.checksum(bytes))
  }

  /// Reads a chunk into `target`, which has its size, and verifies it.
  func read(_ chunk: Chunk, into target: UnsafeMutableRawBufferPointer) throws(SpillError) {
    var count = 0
    while count < chunk.count {
      let result = unsafe pread(
        descriptor, target.baseAddress?.advanced(by: count), chunk.count - count,
        off_t(chunk.offset + count))
      if result < 0 && errno == EINTR { continue }
      if result == 0 { throw .damaged(path, chunk.offset) }
      guard result > 0 else { throw SegmentFile.error(path, errno) }
      count += result
    }
    guard unsafe SegmentFile.checksum(UnsafeRawBufferPointer(target)) == chunk.checksum else {
      throw .damaged(path, chunk.offset)
    }
  }

  /// 64 bits of all bytes. Every step is one to one in the word and in the state, so that a change
  /// within one word always shows; others slip through once in 2⁶⁴.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var even = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
    var odd: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    var offset = 0
    // Two chains, so that one multiplication need not wait for the other.
    while offset + 16 <= bytes.count {
      let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let second = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      even = mix(even, UInt64(littleEndian: first))
      odd = mix(odd, UInt64(littleEndian: second))
      offset += 16
    }
    while offset < bytes.count {
      even = unsafe mix(even, UInt64(bytes[offset]))
      offset += 1
    }
    return mix(mix(0, even), odd)
  }

  @inline(__always)
  private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
    return product ^ (product >> 32)
  }

  private static func error(_ path: String, _ code: Int32) -> SpillError {
    unsafe code == ENOSPC || code == EDQUOT
      ? .noSpace(path) : .file(path, String(cString: strerror(code)))
  }

  /// Makes a folder of mode 0700 with a name of its own.
  static func makeFolder(in parent: String) throws(SpillError) -> String {
    // mkdtemp wants six X at the end and puts a name of its own in their place.
    var template = Array("\(parent)/firstmile-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw unsafe .folder(parent, String(cString: strerror(errno)))
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func unlink(_ path: String) {
    #if canImport(Glibc)
      _ = unsafe Glibc.unlink(path)
    #elseif canImport(Musl)
      _ = Musl.unlink(path)
    #else
      _ = Darwin.unlink(path)
    #endif
  }

  static func removeFolder(_ path: String) { unsafe rmdir(path) }
}
