/// Bytes as they are.
final class PlainStream: ByteStream {
  private let window: InputWindow

  init(_ window: InputWindow) {
    self.window = window
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let count = try unsafe window.read(into: target)
    return count > 0 ? .bytes(count) : .end
  }
}

extension Compression {
  /// By the first bytes, or for brotli by the name. A zip is one that begins with a member or is
  /// empty.
  static func of(_ window: InputWindow, name: String) throws -> Compression {
    _ = try window.require(markBytes)
    let bytes = unsafe window.bytes
    if let compression = unsafe marked(bytes) { return compression }
    // Text that kept its name when it was unpacked is read as it is.
    let isText =
      unsafe bytes.isEmpty || bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "[")
    return !isText && name.lowercased().hasSuffix(brotliEnding) ? .brotli : .plain
  }

  /// So many bytes are enough to recognise all marks.
  private static let markBytes = 13

  /// What the mark at the beginning says.
  static func marked(_ bytes: UnsafeRawBufferPointer) -> Compression? {
    func begins(_ mark: [UInt8]) -> Bool { unsafe bytes.prefix(mark.count).elementsEqual(mark) }
    if begins([0x1F, 0x8B]) { return .gzip }
    if begins([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { return .xz }
    if begins([0x04, 0x22, 0x4D, 0x18]) { return .lz4 }
    // What follows is the first digits of pi, or of its root where nothing is inside.
    if begins(Array("BZh".utf8)), bytes.count > 4, unsafe bytes[4] == 0x31 || bytes[4] == 0x17 {
      return .bzip2
    }
    if bytes.count >= 4 {
      let word = unsafe UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      if word == 0xFD2F_B528 || word & 0xFFFF_FFF0 == 0x184D_2A50 { return .zstd }
      if word == ZipArchive.localHeader || word == ZipArchive.endOfDirectory { return .zip }
    }
    return unsafe isLZMA(bytes) ? .lzma : nil
  }

  /// The old format of xz has no mark, but a header that text can't be: how it was packed, the size
  /// of its window, and that of its content or -1.
  private static func isLZMA(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= markBytes, unsafe bytes[0] == 0x5D else { return false }
    let window = unsafe UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    let size = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 5, as: UInt64.self))
    return window >= 1 << 12 && window & 0xFFF == 0 && (size == .max || size < 1 << 40)
  }

  /// Undoes this compression; for a zip inside an archive, says so and has nothing.
  func stream(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) -> ByteStream {
    switch self {
    case .plain: return PlainStream(window)
    case .gzip: return GzipStream(window, log: log, offset: offset)
    case .zstd: return ZstdStream(window, log: log, offset: offset)
    case .bzip2, .xz, .lzma, .lz4: return FilteredStream(window, log: log, offset: offset)
    case .brotli: return BrotliStream(window, log: log, offset: offset)
    case .zip:
      log.add(at: offset(), "a zip inside an archive is not opened; unpack it first")
      return ByteStream()
    }
  }
}
