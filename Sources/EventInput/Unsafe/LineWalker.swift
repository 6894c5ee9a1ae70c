import CScanKernel

/// Reads lines that are built like earlier ones: by their template, else gap by gap through the
/// graph, from index to index.
///
/// What can't be read this way, `LineScanner` reads, and the walker learns it. All give the same
/// values.
///
/// Invariants: the memory belongs to the `ScanMemory` that made the walker; `index` is of the text
/// that `begin` was last given, and its next quote is the first of the line that is next.
struct LineWalker {
  typealias Address = UnsafePointer<UInt8>

  let graph: UnsafeMutablePointer<GapGraph>
  /// The graph's.
  let tables: GapTables
  let templates: UnsafeMutablePointer<LineTemplates>
  /// The records of the walk that came last, their number before them.
  let path: UnsafeMutablePointer<UInt32>
  let index: UnsafeMutablePointer<TextIndex>
  /// False for lines that become events leaf by leaf: then scanning costs less.
  let isUsed: Bool

  /// Lines from `start` to `end` come next.
  @inline(__always)
  func begin(_ start: Address, _ end: Address) {
    graph.pointee.patience.noteText()
    templates.pointee.patience.noteText()
    index.pointee.begin(start, end)
  }

  /// Passes a blank line.
  func pass(to next: Address) { index.pointee.pass(to: next) }

  /// The template that the line fits which is next; nil for none.
  @inline(__always)
  func match(_ line: Address, atMost maximumBytes: Int) -> TemplateMatch? {
    guard isUsed, !templates.pointee.isHopeless, let lineEnd = index.pointee.plainLineEnd(),
      lineEnd - line <= maximumBytes
    else { return nil }
    let known = templates.pointee
    let quotes = index.pointee.lineQuotes(end: lineEnd)
    let count = index.pointee.lineQuoteCount
    let base = index.pointee.base
    if count == 0 || mayHideText { return nil }
    guard let slot = known.slot(known.tag(quotes, count, base), count) else { return nil }
    let number = Int(known.answers[known.answer(slot, quotes, base)])
    if number < 0 { return nil }
    guard known.fits(known.templates[number], line, quotes, base) else { return nil }
    return TemplateMatch(
      number: number, slot: slot, lineEnd: lineEnd, base: base, quotes: quotes,
      quoteCount: count, hasEscapes: index.pointee.lineEscapeCount > 0)
  }

  /// Whether the line may hold a text of JSON where its build alone does not show it.
  private var mayHideText: Bool {
    @inline(__always) get {
      index.pointee.lineEscapeCount > 0 && graph.pointee.mayHideTexts
    }
  }

  /// Passes a line that fits a template; the address after its line feed.
  @inline(__always)
  func pass(_ match: TemplateMatch) -> Address {
    templates.pointee.noteHit(match.slot)
    index.pointee.pass(to: match.lineEnd, quotes: match.quoteCount)
    graph.pointee.patience.noteHit()
    return match.lineEnd + 1
  }

  /// Reads the line that is next; the address after its line feed, or nil if it must be scanned.
  @inline(__always)
  func walk(
    _ line: Address, _ lines: LineScanner, _ match: TemplateMatch?, atMost maximumBytes: Int
  ) -> Address? {
    if let match, lines.read(match, templates.pointee) { return pass(match) }
    guard isUsed, !graph.pointee.isHopeless, let lineEnd = index.pointee.plainLineEnd(),
      lineEnd - line <= maximumBytes
    else { return nil }
    let quotes = index.pointee.lineQuotes(end: lineEnd)
    let base = index.pointee.base
    if mayHideText { return nil }
    let count = lines.walk(
      tables, line, lineEnd, quotes, base, path, hasEscapes: index.pointee.lineEscapeCount > 0)
    guard count >= 0 else { return nil }
    learnPath(lines, quotes, count, base)
    index.pointee.pass(to: lineEnd, quotes: count)
    graph.pointee.patience.noteHit()
    return lineEnd + 1
  }

  @inline(never)
  private func learnPath(
    _ lines: LineScanner, _ quotes: UnsafePointer<UInt32>, _ quoteCount: Int, _ base: Address
  ) {
    let count = Int(path[0])
    if templates.pointee.isHopeless || count >= LineTemplates.pathCapacity - 1 { return }
    let way = UnsafeBufferPointer<UInt32>(start: path + 1, count: count)
    templates.pointee.learn(way, lines, quotes, quoteCount, base)
  }

  /// Learns a line that was scanned, if the index says that it is plain, and passes it.
  @inline(never)
  func learn(_ line: Address, to lineEnd: Address, _ lines: LineScanner) {
    if !isUsed { return }
    if graph.pointee.isHopeless {
      // Nothing is learned for now: a plain line was looked for among the templates in vain.
      if !templates.pointee.isHopeless, index.pointee.plainLineEnd() == lineEnd {
        templates.pointee.patience.noteMiss(cost: 1)
      }
    } else {
      graph.pointee.noteMiss()
      if !graph.pointee.isFull, let end = index.pointee.plainLineEnd(), end == lineEnd {
        GapLearner.learn(line, to: lineEnd, lines, into: graph)
      }
    }
    // Templates look at the next line even where the graph is given up for now.
    index.pointee.pass(to: lineEnd + 1)
  }
}

extension LineScanner {
  /// Walks a plain line; returns how many quotes were in it, or -1 if it is built in no known way.
  /// Then leaves hold anything.
  ///
  /// - Parameters:
  ///   - line: its first byte.
  ///   - lineEnd: its line feed.
  ///   - quotes: the offsets from `base` of the line's quotes, of those indexed behind them, and
  ///     the sentinels.
  ///   - path: takes the number of records that the line is made of, and the records.
  @inline(never)
  func walk(
    _ tables: GapTables, _ line: Address, _ lineEnd: Address, _ quotes: UnsafePointer<UInt32>,
    _ base: Address, _ path: UnsafeMutablePointer<UInt32>, hasEscapes: Bool
  ) -> Int {
    var p = line
    var quote = quotes
    var place = GapTables.noRecord
    var steps = 0
    while true {
      guard let next = tables.next(after: place, p) else { return -1 }
      place = next
      let record = (UnsafeRawPointer(tables.records) + next).assumingMemoryBound(to: GapRecord.self)
      steps = min(steps &+ 1, LineTemplates.pathCapacity - 1)
      path[steps] = UInt32(truncatingIfNeeded: next)
      if record.pointee.effectCount > 0 { apply(tables.effects, record, at: p) }
      p += Int(record.pointee.count)
      quote += Int(record.pointee.quoteCount)
      // A string that nobody closed may have led into a later line, where every record that matches
      // begins at a quote, and none does at a sentinel: only after those quotes anything may stand.
      switch record.pointee.kind {
      case .string:
        let end = base + Int(quote.pointee)
        noteString(p, end, leaf: Int(record.pointee.leaf), hasEscapes: hasEscapes)
        p = end
      case .scalar:
        if p > lineEnd { return -1 }
        guard let end = walkScalar(p, leaf: Int(record.pointee.leaf)) else { return -1 }
        p = end
      case .part:
        if p > lineEnd { return -1 }
      case .lineEnd:
        path[0] = UInt32(truncatingIfNeeded: steps)
        return p == lineEnd + 1 ? quote - quotes : -1
      }
    }
  }

  @inline(__always)
  private func noteString(_ start: Address, _ end: Address, leaf: Int, hasEscapes: Bool) {
    starts[leaf] = start
    ends[leaf] = end
    kinds[leaf] =
      hasEscapes && leaf < leafCount ? Self.kind(ofString: start, end) : ValueKind.string
  }

  /// Of a string in a line that has escapes somewhere. It may end before it begins where a line is
  /// built in no known way.
  private static func kind(ofString start: Address, _ end: Address) -> UInt8 {
    var p = start
    while p < end {
      if p.pointee == UInt8(ascii: "\\") { return ValueKind.escapedString }
      p += 1
    }
    return ValueKind.string
  }

  /// Notes the values of a line that fits a template; false if a number or word is none.
  func read(_ match: TemplateMatch, _ templates: LineTemplates) -> Bool {
    let template = templates.templates[match.number]
    for leaf in 0..<leafCount { kinds[leaf] = templates.kinds[Int(template.firstKind) + leaf] }
    for index in 0..<Int(template.valueCount) {
      let value = templates.values[Int(template.firstValue) + index]
      let text = match.string(behind: Int(value.quote))
      (starts[Int(value.leaf)], ends[Int(value.leaf)]) = (text.start, text.end)
      // A leaf that a later object wiped stays empty.
      if match.hasEscapes && kinds[Int(value.leaf)] == ValueKind.string {
        kinds[Int(value.leaf)] = Self.kind(ofString: text.start, text.end)
      }
    }
    for index in 0..<Int(template.containerCount) {
      let container = templates.containers[Int(template.firstContainer) + index]
      starts[Int(container.leaf)] = match.address(container.start)
      ends[Int(container.leaf)] = match.address(container.end)
    }
    for index in 0..<Int(template.scalarCount) {
      if !read(templates.scalars[Int(template.firstScalar) + index], match) { return false }
    }
    return true
  }

  /// Notes a number or word; false if it is none.
  @inline(__always)
  func read(_ scalar: TemplateScalar, _ match: TemplateMatch) -> Bool {
    walkScalar(match.address(scalar.start), leaf: Int(scalar.leaf)) == match.address(scalar.end)
  }

  @inline(never)
  func walkScalar(_ p: Address, leaf: Int) -> Address? {
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
