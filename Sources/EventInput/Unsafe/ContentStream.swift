/// Bytes as they are.
final class PlainStream: ByteStream {
  private let window: InputWindow

  init(_ window: InputWindow) {
    self.window = window
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let count = try window.read(into: target)
    return count > 0 ? .bytes(count) : .end
  }
}

extension Compression {
  /// Told by the first bytes. A zip is one that begins with a member or is empty.
  static func of(_ window: InputWindow) throws -> Compression {
    _ = try window.require(4)
    let bytes = window.bytes
    if bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B { return .gzip }
    guard bytes.count >= 4 else { return .plain }
    let word = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
    if word == 0xFD2F_B528 || word & 0xFFFF_FFF0 == 0x184D_2A50 { return .zstd }
    if word == ZipArchive.localHeader || word == ZipArchive.endOfDirectory { return .zip }
    return .plain
  }

  /// Undoes this compression; for a zip inside a zip, says so and brings nothing.
  func stream(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) -> ByteStream {
    switch self {
    case .plain: return PlainStream(window)
    case .gzip: return GzipStream(window, log: log, offset: offset)
    case .zstd: return ZstdStream(window, log: log, offset: offset)
    case .zip:
      log.add(at: offset(), "a zip inside a zip is not opened; unpack it first")
      return ByteStream()
    }
  }
}
