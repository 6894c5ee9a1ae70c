import CScanKernel

/// The gaps between values that were seen so far, and which came after which: lines that are built
/// like earlier ones are read by comparing the gaps and taking the values' ends from the index.
///
/// Nearly all lines of a dump are built in a few dozen ways. A walk compares 32 bytes a gap and
/// never looks at the inside of values, so nothing has to wait for where the value before ended.
/// What can't be walked goes to `LineScanner`, and is then learned.
///
/// A record's place in the graph is the containers that are open at its beginning: whatever way
/// leads from the beginning to an end is a line that `LineScanner` takes, and gives the same
/// values.
///
/// Invariants: those of `GapTables`.
struct GapGraph {
  let tables = GapTables()
  private var recordCount = 1
  private var edgeCount = 0
  private var effectCount = 0
  /// Records by what they are: where they begin, and their bytes.
  private var recordOfGap: [[UInt8]: Int32] = [:]
  /// Lines walked less lines missed lately: walking and learning stop where they don't pay.
  var patience = Patience(4096)
  /// Whether a string stands somewhere where an object is looked for. With escapes in it, it may be
  /// a text of JSON, which only `LineScanner` sees.
  private(set) var mayHideTexts = false
  /// How often there was no room: what is built in ever new ways is not worth learning.
  private var refusals = 0
  private static let refusalsAtMost = 256

  var isHopeless: Bool { patience.isOver }
  var isFull: Bool { refusals >= Self.refusalsAtMost }

  /// A miss costs more than a hit saves: the search among what might have come.
  mutating func noteMiss() { patience.noteMiss(cost: 2) }

  /// The record of a gap, made if it is new; -1 if there is no more room.
  ///
  /// - Parameters:
  ///   - place: the containers that are open where the gap begins, and its bytes before `spelling`.
  ///   - spelling: 1...32 bytes.
  mutating func add(
    _ record: GapRecord, _ own: [GapEffect], place: [UInt8], spelling: ArraySlice<UInt8>
  ) -> Int32 {
    let gap = place + spelling + [record.kind.rawValue]
    if let known = recordOfGap[gap] { return known }
    guard recordCount < GapTables.recordCapacity,
      effectCount + own.count <= GapTables.effectCapacity
    else {
      refusals += 1
      return -1
    }
    var record = record
    record.count = Int32(spelling.count)
    record.quoteCount = Int32(spelling.count { $0 == UInt8(ascii: "\"") })
    record.firstEffect = Int32(effectCount)
    record.effectCount = Int32(own.count)
    for effect in own {
      if effect.valueKind == ValueKind.string { mayHideTexts = true }
      (tables.effects + effectCount).initialize(to: effect)
      effectCount += 1
    }
    record.spelling = Self.spelled(spelling)
    (tables.records + recordCount).initialize(to: record)
    recordOfGap[gap] = Int32(recordCount)
    recordCount += 1
    return Int32(recordCount - 1)
  }

  static func spelled(_ text: ArraySlice<UInt8>) -> scan_spelling {
    var spelling = scan_spelling()
    withUnsafeMutableBytes(of: &spelling) { bytes in
      for (index, byte) in text.enumerated() {
        bytes[index] = byte
        bytes[32 + index] = 0xFF
      }
    }
    return spelling
  }

  /// Makes sure that there is a way from a record to another; false if there is no more room.
  mutating func connect(_ from: Int32, _ to: Int32) -> Bool {
    var last: Int32 = -1
    var count = 0
    let (records, edges) = (tables.records, tables.edges)
    var edge = records[Int(from)].firstEdge
    while edge >= 0 {
      if edges[Int(edge)].record == to { return true }
      last = edge
      count += 1
      edge = edges[Int(edge)].next
    }
    guard edgeCount < GapTables.edgeCapacity, count < GapTables.edgesAtMost else {
      refusals += 1
      return false
    }
    let new = Int32(edgeCount)
    (edges + edgeCount).initialize(to: GapEdge(record: to, next: -1))
    edgeCount += 1
    if last >= 0 {
      edges[Int(last)].next = new
    } else {
      records[Int(from)].firstEdge = new
    }
    return true
  }
}
