import CScanKernel

/// Reads lines that are built like earlier ones: gap by gap, from index to index.
///
/// What can't be read this way, `LineScanner` reads, and the walker learns it. Both give the same
/// values.
///
/// Invariants: the memory belongs to the `ScanMemory` that made the walker; `index` is of the text
/// that `begin` was last given, and its next quote is the first of the line that is next.
struct LineWalker {
  typealias Address = UnsafePointer<UInt8>

  let graph: UnsafeMutablePointer<GapGraph>
  /// The graph's.
  let tables: GapTables
  let index: UnsafeMutablePointer<TextIndex>
  /// False for formats that ask where arrays begin, which only scanning tells.
  let isUsed: Bool

  /// Lines from `start` to `end` come next.
  @inline(__always)
  func begin(_ start: Address, _ end: Address) {
    if graph.pointee.isHopeless { graph.pointee.forgive() }
    index.pointee.begin(start, end)
  }

  /// Passes a blank line.
  func pass(to next: Address) { index.pointee.pass(to: next) }

  /// Reads the line that is next; the address after its line feed, or nil if it must be scanned.
  @inline(__always)
  func walk(_ line: Address, _ lines: LineScanner, atMost maximumBytes: Int) -> Address? {
    guard isUsed, !graph.pointee.isHopeless, let lineEnd = index.pointee.plainLineEnd(),
      lineEnd - line <= maximumBytes
    else { return nil }
    let quotes = index.pointee.quotes + index.pointee.nextQuote
    let count = lines.walk(tables, line, lineEnd, quotes, index.pointee.base)
    guard count >= 0 else { return nil }
    index.pointee.pass(to: lineEnd, quotes: count)
    graph.pointee.noteHit()
    return lineEnd + 1
  }

  /// Learns a line that was scanned, if the index says that it is plain, and passes it.
  @inline(never)
  func learn(_ line: Address, to lineEnd: Address, _ lines: LineScanner) {
    if !isUsed || graph.pointee.isHopeless { return }
    graph.pointee.noteMiss()
    if !graph.pointee.isFull, let end = index.pointee.plainLineEnd(), end == lineEnd {
      GapLearner.learn(line, to: lineEnd, lines, into: graph)
    }
    index.pointee.pass(to: lineEnd + 1)
  }
}

extension LineScanner {
  /// Walks a line that has nothing special before its end; returns how many quotes were in it, or
  /// -1 if it is built in no known way. Then leaves hold anything.
  ///
  /// - Parameters:
  ///   - line: its first byte.
  ///   - lineEnd: its line feed.
  ///   - quotes: the offsets from `base` of the line's quotes and those indexed behind them, and
  ///     the sentinels. Only a string's end, and one record after it, can lie behind the line: so
  ///     no more than a record's quotes are ever passed there.
  @inline(never)
  func walk(
    _ tables: GapTables, _ line: Address, _ lineEnd: Address, _ quotes: UnsafePointer<UInt32>,
    _ base: Address
  ) -> Int {
    let records = UnsafeRawPointer(tables.records)
    var guesses = UnsafeMutableRawPointer(tables.guesses)
    var p = line
    var quote = quotes
    var place = GapTables.noRecord
    var way = 0
    while true {
      var next = Int(guesses.load(fromByteOffset: 2 &* place, as: UInt32.self))
      if !GapTables.isAt((records + next).assumingMemoryBound(to: GapRecord.self), p) {
        let from = (records + place).assumingMemoryBound(to: GapRecord.self)
        guard let found = tables.next(after: from, p) else { return -1 }
        if next == GapTables.noRecord {
          guesses.storeBytes(
            of: UInt32(truncatingIfNeeded: found), toByteOffset: 2 &* place, as: UInt32.self)
        }
        next = found
        // Another way than the first one seen: what follows is told apart from what followed there.
        way = Self.way(UInt64(truncatingIfNeeded: way &+ next))
        guesses = UnsafeMutableRawPointer(tables.guesses + way)
      }
      place = next
      let record = (records + next).assumingMemoryBound(to: GapRecord.self)
      if record.pointee.effectCount > 0 { apply(tables.effects, record, at: p) }
      p += Int(record.pointee.count)
      quote += Int(record.pointee.quoteCount)
      if record.pointee.kind == .string {
        let leaf = Int(record.pointee.leaf)
        starts[leaf] = p
        let end = base + Int(quote.pointee)
        ends[leaf] = end
        kinds[leaf] = ValueKind.string
        if leaf == tables.eventLeaf {
          way = Self.mixed(p, end)
          guesses = UnsafeMutableRawPointer(tables.guesses + way)
        }
        p = end
      } else if record.pointee.kind == .lineEnd {
        return p == lineEnd + 1 ? quote - quotes : -1
      } else if p > lineEnd {
        // A string that nobody closed led into a line of which anything may be true: what is not
        // indexed yet, NULs. One more record is all that may be read there.
        return -1
      } else if record.pointee.kind == .number {
        guard let end = walkNumber(p, leaf: Int(record.pointee.leaf)) else { return -1 }
        p = end
      }
    }
  }

  /// A number below `GapTables.guessesPerRecord` that depends on the value's first 16 bytes: lines
  /// of one event are nearly always built in one way.
  @inline(__always)
  private static func mixed(_ start: Address, _ end: Address) -> Int {
    let masks = UnsafeRawPointer(scan_tail_masks()) + (32 - min(end - start, 16))
    let raw = UnsafeRawPointer(start)
    let first = raw.loadUnaligned(as: UInt64.self) & masks.loadUnaligned(as: UInt64.self)
    let second =
      raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      & masks.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return way(first ^ second &* 0xD6E8_FEB8_6659_FD93)
  }

  @inline(__always)
  private static func way(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 58)
  }

  @inline(never)
  private func walkNumber(_ p: Address, leaf: Int) -> Address? {
    guard let end = lexer.numberEnd(p) else { return nil }
    starts[leaf] = p
    ends[leaf] = end
    kinds[leaf] = ValueKind.number
    return end
  }

  @inline(never)
  private func apply(
    _ effects: UnsafePointer<GapEffect>, _ record: UnsafePointer<GapRecord>, at p: Address
  ) {
    let effects = effects + Int(record.pointee.firstEffect)
    for index in 0..<Int(record.pointee.effectCount) {
      let effect = effects[index]
      if effect.wipedNode >= 0 { wipe(effect.wipedNode) }
      let leaf = Int(effect.leaf)
      kinds[leaf] = effect.valueKind
      starts[leaf] = p + Int(effect.start)
      ends[leaf] = p + Int(effect.end)
    }
  }
}
