import CScanKernel

/// The memory of a `GapGraph`: what a walk reads.
///
/// Invariants: `records`, `edges` and `effects` hold as many initialised elements as the graph
/// counts; every edge leads from a record to one that may begin where the first one ends. The ways
/// to begin a line are those from `noRecord`. Outside, a record is known by its distance from the
/// first one in bytes.
struct GapTables {
  static let recordCapacity = 512
  static let edgeCapacity = 2048
  /// Ways from one record: to look through more costs more than to scan the line.
  static let edgesAtMost = 32
  static let effectCapacity = 1024
  /// What stands before every line: a NUL, which no plain line has.
  static let noRecord = 0

  let records: UnsafeMutablePointer<GapRecord>
  let edges: UnsafeMutablePointer<GapEdge>
  let effects: UnsafeMutablePointer<GapEffect>

  init() {
    records = .allocate(capacity: Self.recordCapacity)
    edges = .allocate(capacity: Self.edgeCapacity)
    effects = .allocate(capacity: Self.effectCapacity)
    var nothing = GapRecord(leaf: 0, kind: .part)
    nothing.spelling = GapGraph.spelled([0])
    records.initialize(to: nothing)
  }

  func deallocate() {
    records.deallocate()
    edges.deallocate()
    effects.deallocate()
  }

  @inline(__always)
  static func begins(_ p: UnsafePointer<UInt8>, _ record: UnsafePointer<GapRecord>) -> Bool {
    // The spelling is the record's first field.
    scan_begins(p, UnsafeRawPointer(record).assumingMemoryBound(to: scan_spelling.self))
  }

  /// The record that the text at `p` begins with, of those that may come after `record`; both as
  /// distances. Nil for none.
  @inline(__always)
  func next(after record: Int, _ p: UnsafePointer<UInt8>) -> Int? {
    let last = (UnsafeRawPointer(records) + record).assumingMemoryBound(to: GapRecord.self)
    var edge = last.pointee.firstEdge
    while edge >= 0 {
      let next = records + Int(edges[Int(edge)].record)
      if Self.begins(p, next) && next.pointee.isScalar(at: p) {
        return UnsafeRawPointer(next) - UnsafeRawPointer(records)
      }
      edge = edges[Int(edge)].next
    }
    return nil
  }
}
