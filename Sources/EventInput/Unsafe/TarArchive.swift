/// The files of a tar, however the tar is compressed.
final class TarArchive: MemberArchive {
  private let reader: ArchiveReader
  private var isOpen = false

  /// - Parameter stream: the tar's bytes.
  init(_ stream: ByteStream, log: DamageLog, offset: @escaping () -> Int) {
    reader = ArchiveReader(stream, .tar, log: log, offset: offset)
  }

  override func nextMember() throws -> (name: String, stream: ByteStream)? {
    if !isOpen {
      isOpen = true
      try reader.open()
    }
    guard let name = try reader.nextFile() else { return nil }
    return (name, Member(reader))
  }

  private final class Member: ByteStream {
    private let reader: ArchiveReader

    init(_ reader: ArchiveReader) { self.reader = reader }

    override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
      try unsafe reader.read(into: target)
    }
  }
}
