import CScanKernel

/// The memory of a `GapGraph`: what a walk reads.
///
/// Invariants: `records`, `edges` and `effects` hold as many initialised elements as the graph
/// counts, `guesses` all; every edge, and every guess, leads from a record to one that may begin
/// where the first one ends, or to `noRecord`, whose spelling is a NUL, which no plain line has.
/// The ways to begin a line are those from `noRecord`. A guess is the distance of a record from the
/// first one in bytes; a record's guesses are twice as far from the first one's as the record.
struct GapTables {
  static let recordCapacity = 512
  static let edgeCapacity = 2048
  /// Ways from one record: to look through more costs more than to scan the line.
  static let edgesAtMost = 32
  static let effectCapacity = 1024
  /// The record that nothing matches: a guess where there is none yet.
  static let noRecord = 0
  /// Guesses are kept apart by the event's name and where guesses failed: so many ways are told
  /// from each other.
  static let guessesPerRecord = 64

  let records: UnsafeMutablePointer<GapRecord>
  let edges: UnsafeMutablePointer<GapEdge>
  let effects: UnsafeMutablePointer<GapEffect>
  /// For each record and way to it the record that came next when that was first asked. Never
  /// changed afterwards: so the way is the same for all lines that are built alike.
  let guesses: UnsafeMutablePointer<UInt32>
  /// The leaf of the event's name, if there is one.
  let eventLeaf: Int

  init(eventLeaf: Int?) {
    self.eventLeaf = eventLeaf ?? -1
    records = .allocate(capacity: Self.recordCapacity)
    edges = .allocate(capacity: Self.edgeCapacity)
    effects = .allocate(capacity: Self.effectCapacity)
    let guessCount = Self.recordCapacity * Self.guessesPerRecord
    guesses = .allocate(capacity: guessCount)
    guesses.initialize(repeating: UInt32(Self.noRecord), count: guessCount)
    var nothing = GapRecord(leaf: 0, kind: .part)
    nothing.spelling = GapGraph.spelled([0])
    records.initialize(to: nothing)
  }

  func deallocate() {
    records.deallocate()
    edges.deallocate()
    effects.deallocate()
    guesses.deallocate()
  }

  @inline(__always)
  static func begins(_ p: UnsafePointer<UInt8>, _ record: UnsafePointer<GapRecord>) -> Bool {
    // The spelling is the record's first field.
    scan_begins(p, UnsafeRawPointer(record).assumingMemoryBound(to: scan_spelling.self))
  }

  /// The record that the text at `p` begins with, of those that may come after `record`, as a
  /// distance in bytes; nil for none. Becomes the guess, if that was nothing.
  @inline(never)
  func next(
    after record: UnsafePointer<GapRecord>, _ p: UnsafePointer<UInt8>,
    _ guess: UnsafeMutablePointer<UInt32>
  ) -> Int? {
    var edge = record.pointee.firstEdge
    while edge >= 0 {
      let next = records + Int(edges[Int(edge)].record)
      if Self.begins(p, next) && next.pointee.isScalar(at: p) {
        let distance = UnsafeRawPointer(next) - UnsafeRawPointer(records)
        if guess.pointee == UInt32(Self.noRecord) {
          guess.pointee = UInt32(truncatingIfNeeded: distance)
        }
        return distance
      }
      edge = edges[Int(edge)].next
    }
    return nil
  }
}
