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
  ///   - quotes: the offsets from `base` of the line's quotes, of those indexed behind them, and
  ///     the sentinels.
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
      var record = (records + next).assumingMemoryBound(to: GapRecord.self)
      let isExpected = GapTables.begins(p, record)
      if isExpected && record.pointee.isSimple {
        place = next
        p += Int(record.pointee.count)
        quote += Int(record.pointee.quoteCount)
        let end = base + Int(quote.pointee)
        noteString(p, end, leaf: Int(record.pointee.leaf))
        p = end
        continue
      }
      if !isExpected || !record.pointee.isScalar(at: p) {
        let from = (records + place).assumingMemoryBound(to: GapRecord.self)
        let guess = (guesses + 2 &* place).assumingMemoryBound(to: UInt32.self)
        guard let found = tables.next(after: from, p, guess) else { return -1 }
        next = found
        record = (records + next).assumingMemoryBound(to: GapRecord.self)
        // Another way than the first one seen: what follows is told apart from what followed there.
        way = Self.way(UInt64(truncatingIfNeeded: way &+ next))
        guesses = UnsafeMutableRawPointer(tables.guesses + way)
      }
      place = next
      if record.pointee.effectCount > 0 { apply(tables.effects, record, at: p) }
      p += Int(record.pointee.count)
      quote += Int(record.pointee.quoteCount)
      // A string that nobody closed may have led into a later line, where every record that matches
      // begins at a quote, and none does at a sentinel: only after those quotes anything may stand.
      switch record.pointee.kind {
      case .string:
        let end = base + Int(quote.pointee)
        let leaf = Int(record.pointee.leaf)
        noteString(p, end, leaf: leaf)
        if leaf == tables.eventLeaf {
          way = Self.mixed(p, end)
          guesses = UnsafeMutableRawPointer(tables.guesses + way)
        }
        p = end
      case .scalar:
        if p > lineEnd { return -1 }
        guard let end = walkScalar(p, leaf: Int(record.pointee.leaf)) else { return -1 }
        p = end
      case .part:
        if p > lineEnd { return -1 }
      case .lineEnd: return p == lineEnd + 1 ? quote - quotes : -1
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

  @inline(__always)
  private func noteString(_ start: Address, _ end: Address, leaf: Int) {
    starts[leaf] = start
    ends[leaf] = end
    kinds[leaf] = ValueKind.string
  }

  @inline(never)
  private func walkScalar(_ p: Address, leaf: Int) -> Address? {
    guard let end = lexer.scalarEnd(p) else { return nil }
    starts[leaf] = p
    ends[leaf] = end
    switch p.pointee {
    case UInt8(ascii: "n"): kinds[leaf] = ValueKind.missing
    case UInt8(ascii: "t"), UInt8(ascii: "f"): kinds[leaf] = ValueKind.boolean
    default: kinds[leaf] = ValueKind.number
    }
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
