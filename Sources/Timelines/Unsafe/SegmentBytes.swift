internal import EventInput

/// One list of a segment, read back and verified.
///
/// Invariants: `start` points at `count` bytes and `padding` zeros behind them, so that reading one
/// value too far is harmless and is found at the end of the record.
final class SegmentBytes {
  /// More than the longest single value.
  private static let padding = 64
  let segment: Segment
  private let count: Int
  private let start: UnsafeMutableRawPointer

  init(_ segment: Segment, list: Int) throws(SpillError) {
    let chunks = segment.chunks[list]
    self.segment = segment
    count = chunks.reduce(0) { $0 + $1.count }
    start = .allocate(byteCount: count + SegmentBytes.padding, alignment: 8)
    start.advanced(by: count).initializeMemory(
      as: UInt8.self, repeating: 0, count: SegmentBytes.padding)
    var offset = 0
    for chunk in chunks {
      try segment.file.read(
        chunk, into: UnsafeMutableRawBufferPointer(start: start + offset, count: chunk.count))
      offset += chunk.count
    }
  }

  deinit { start.deallocate() }

  /// One list of each segment that has something in it.
  static func read(_ list: Int, of segments: [Segment]) throws(SpillError) -> [SegmentBytes] {
    var read: [SegmentBytes] = []
    for segment in segments where !segment.chunks[list].isEmpty {
      read.append(try SegmentBytes(segment, list: list))
    }
    return read
  }

  /// Calls `body` for every record; it may read the body of the record or leave it.
  @inline(__always)
  func forEachRecord(
    _ body: (RecordHead, inout ByteReader) throws(SpillError) -> Void
  ) throws(SpillError) {
    var reader = ByteReader(at: start, end: start + count)
    while !reader.isAtEnd {
      let key = SegmentBytes.key(&reader)
      let count = reader.word(UInt16.self)
      let length = Int(reader.word(UInt16.self))
      var head = RecordHead(key: key, count: Int(count & ~RecordHead.partnerMark))
      if count & RecordHead.partnerMark != 0 { head.partner = SegmentBytes.key(&reader) }
      guard reader.remaining >= length else { throw damaged }
      let first = reader.next
      var own = reader
      try body(head, &own)
      guard own.next <= first + length else { throw damaged }
      reader.skip(length)
    }
  }

  @inline(__always)
  private static func key(_ reader: inout ByteReader) -> IdentifierHash {
    IdentifierHash(high: reader.word(UInt64.self), low: reader.word(UInt64.self))
  }

  /// Reads a record's facts into an array of their own.
  ///
  /// - Parameter codes: what the segment's codes mean in the run; `nil` for those of the run.
  func read(
    _ head: RecordHead, from reader: inout ByteReader, codes: CodeMap?, into facts: inout [Fact]
  ) throws(SpillError) {
    facts.removeAll(keepingCapacity: true)
    var isDamaged = false
    FactCoding.read(head.count, from: &reader) { _, fact in
      guard let codes else { return facts.append(fact) }
      if let own = codes(fact) { facts.append(own) } else { isDamaged = true }
    }
    if isDamaged { throw damaged }
  }

  /// Bytes that verified and yet make no sense.
  var damaged: SpillError {
    .damaged(segment.file.path, segment.chunks.first { !$0.isEmpty }?.first?.offset ?? 0)
  }
}
