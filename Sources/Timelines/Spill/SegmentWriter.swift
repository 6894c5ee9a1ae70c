/// Takes records for the lists of one segment and writes them out in chunks.
struct SegmentWriter {
  private static let chunkBytes = 32_768
  private let file: SegmentFile
  private let worker: Int?
  private var buffers: [SegmentBuffer?]
  private var chunks: [[SegmentFile.Chunk]]

  init(_ file: SegmentFile, lists: Int, worker: Int?) {
    self.file = file
    self.worker = worker
    buffers = Array(repeating: nil, count: lists)
    chunks = Array(repeating: [], count: lists)
  }

  /// Hands out the list's buffer; `flushIfLarge` must follow the records.
  mutating func buffer(_ list: Int) -> SegmentBuffer {
    if let buffer = buffers[list] { return buffer }
    let buffer = SegmentBuffer(capacity: SegmentWriter.chunkBytes * 5 / 4)
    buffers[list] = buffer
    return buffer
  }

  mutating func flushIfLarge(_ list: Int) throws(SpillError) {
    if let buffer = buffers[list], buffer.count >= SegmentWriter.chunkBytes {
      try flush(list)
    }
  }

  /// Writes what is left of a list and gives its buffer back.
  mutating func close(_ list: Int) throws(SpillError) {
    try flush(list)
    buffers[list] = nil
  }

  mutating func finish() throws(SpillError) -> Segment {
    for list in buffers.indices { try close(list) }
    return Segment(file: file, chunks: chunks, worker: worker)
  }

  private mutating func flush(_ list: Int) throws(SpillError) {
    guard let buffer = buffers[list], buffer.count > 0 else { return }
    chunks[list].append(try file.append(buffer.bytes))
    buffer.removeAll()
  }
}
