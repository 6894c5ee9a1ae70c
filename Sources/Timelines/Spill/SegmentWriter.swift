internal import EventInput

/// Takes records for the lists of one segment and writes them out in chunks.
struct SegmentWriter {
  private static let chunkBytes = 8192
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

  /// Appends one record; `body` writes at most `atMost` bytes behind its head.
  @inline(__always)
  mutating func append(
    _ head: RecordHead, to list: Int, atMost: Int, body: (inout ByteWriter) -> Void
  ) throws(SpillError) {
    let buffer = buffer(list)
    buffer.append(head, atMost: atMost, body: body)
    if buffer.count >= SegmentWriter.chunkBytes { try flush(list) }
  }

  /// Appends facts that are in order of time, at least one, as records of one person.
  ///
  /// - Parameters:
  ///   - key: of the person, or of the device if nobody is known yet.
  ///   - device: on which all of them happened, where it is to be written.
  @inline(__always)
  mutating func append(
    _ count: Int, of key: IdentifierHash, on device: IdentifierHash = .missing, to list: Int,
    factAt: (Int) -> Fact
  ) throws(SpillError) {
    var start = 0
    while start < count {
      let own = min(RecordHead.maximumCount, count - start)
      let head = RecordHead(key: key, count: own, partner: device)
      try append(head, to: list, atMost: FactCoding.maximumBytes(own)) { writer in
        FactCoding.append(own, to: &writer) { factAt(start + $0) }
      }
      start += own
    }
  }

  private mutating func buffer(_ list: Int) -> SegmentBuffer {
    if let buffer = buffers[list] { return buffer }
    let buffer = SegmentBuffer(capacity: SegmentWriter.chunkBytes * 5 / 4)
    buffers[list] = buffer
    return buffer
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
