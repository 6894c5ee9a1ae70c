/// What was compressed by bzip2, xz or LZ4.
final class FilteredStream: ByteStream {
  private let reader: ArchiveReader
  private var isOpen = false
  private var isDone = false

  init(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) {
    reader = ArchiveReader(PlainStream(window), .stream, log: log, offset: offset)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    if isDone { return .end }
    if !isOpen {
      isOpen = true
      try reader.open()
      guard try reader.nextFile() != nil else {
        isDone = true
        return .end
      }
    }
    let result = try unsafe reader.read(into: target)
    if case .bytes = result { return result }
    isDone = true
    return result
  }
}
