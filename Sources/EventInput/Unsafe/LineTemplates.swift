import CScanKernel

/// The templates of the lines seen so far, found by the event's name and the number of quotes.
///
/// Where several templates have both in common, questions tell them apart: each asks whether some
/// bytes of one template stand where they stand there, and all answers together lead to a template.
/// Whatever they lead to is compared as a whole, so a wrong way costs time and nothing else.
///
///     ("page", 44 quotes)   `user_id"` behind quote 7?  `":null}` before the end?
///                           yes, no ──► template 3        no, no ──► template 5
///
/// Invariants: each list holds as many initialised elements as it counts, of at most its capacity;
/// `slots`, `questions` and `answers` all. A slot's questions and templates are of lines with the
/// slot's number of quotes.
struct LineTemplates {
  typealias Address = UnsafePointer<UInt8>

  /// A range of lines: those of one event, roughly, with one number of quotes.
  struct Slot {
    var tag: UInt32
    var quoteCount: Int32
    var questionCount: Int32 = 0
    /// Lines that fitted less lines that did not: rare lines change nothing here.
    var balance = Self.balanceAtMost
    static let balanceAtMost: Int32 = 64
  }

  /// Whether the bytes of `word` that `mask` has stand at a place; at first none, which always do.
  struct Question {
    var word: UInt64 = 0
    var mask: UInt64 = 0
    var place = TemplatePlace(quote: 0, offset: 0)
  }

  static let templateCapacity = 512
  static let slotCapacity = 256
  private static let probesAtMost = 4
  static let questionsASlot = 6
  static let answersASlot = 1 << questionsASlot
  static let pathCapacity = 96
  /// How far behind a line's last quote a piece or a question can lie: less than the longest path,
  /// whose records have 32 bytes at most.
  static let reachBytes = 32 * pathCapacity
  /// An answer that has led to no line yet.
  static let unknown: Int16 = -1
  /// An answer that led to a line which can't be cast.
  static let impossible: Int16 = -2

  let graph: GapTables
  /// Where the event's name goes; -1 if it has no place of its own.
  let eventLeaf: Int
  /// By tag; a slot that is free has no quotes, and no line has no quotes and a template.
  let slots: UnsafeMutablePointer<Slot>
  let questions: UnsafeMutablePointer<Question>
  /// Templates by the answers to their slot's questions, a bit each; or `unknown`, `impossible`.
  let answers: UnsafeMutablePointer<Int16>
  var templates = TemplateList<LineTemplate>(capacity: Self.templateCapacity)
  var pieces = TemplateList<scan_piece>(capacity: Self.templateCapacity * 24)
  var values = TemplateList<TemplateValue>(capacity: Self.templateCapacity * 16)
  var scalars = TemplateList<TemplateScalar>(capacity: Self.templateCapacity * 2)
  var containers = TemplateList<TemplateContainer>(capacity: Self.templateCapacity)
  var kinds: TemplateList<UInt8>
  /// The quote before the event's name in the line that was walked last; -1 for none.
  var eventQuote = -1
  /// Lines that a template fitted less lines that had none lately.
  var patience = Patience(1024)
  /// There was no room: what is built in ever new ways is not worth learning.
  var isFull = false
  private let way = scan_best_way()

  init(_ graph: GapTables, leafCount: Int, eventLeaf: Int?) {
    self.graph = graph
    self.eventLeaf = eventLeaf ?? -1
    slots = .allocate(capacity: Self.slotCapacity)
    slots.initialize(repeating: Slot(tag: 0, quoteCount: 0), count: Self.slotCapacity)
    questions = .allocate(capacity: Self.slotCapacity * Self.questionsASlot)
    questions.initialize(
      repeating: Question(), count: Self.slotCapacity * Self.questionsASlot)
    answers = .allocate(capacity: Self.slotCapacity * Self.answersASlot)
    answers.initialize(repeating: Self.unknown, count: Self.slotCapacity * Self.answersASlot)
    kinds = TemplateList(capacity: Self.templateCapacity * leafCount)
  }

  func deallocate() {
    slots.deallocate()
    questions.deallocate()
    answers.deallocate()
    templates.deallocate()
    pieces.deallocate()
    values.deallocate()
    scalars.deallocate()
    containers.deallocate()
    kinds.deallocate()
  }

  var isHopeless: Bool { patience.isOver }

  @inline(__always)
  mutating func noteHit(_ slot: Int) {
    slots[slot].balance = min(slots[slot].balance &+ 1, Slot.balanceAtMost)
    patience.noteHit()
  }

  /// Whether misses of a slot have become so many that its template is to be another one.
  mutating func noteMiss(_ slot: Int) -> Bool {
    patience.noteMiss(cost: 1)
    slots[slot].balance -= 16
    if slots[slot].balance >= 0 { return false }
    slots[slot].balance = Slot.balanceAtMost
    return true
  }

  /// What tells lines apart before anything is compared.
  @inline(__always)
  func tag(_ quotes: UnsafePointer<UInt32>, _ count: Int, _ base: Address) -> UInt32 {
    var word = UInt64(truncatingIfNeeded: count)
    if eventQuote >= 0 && eventQuote &+ 1 < count {
      let start = base + Int(quotes[eventQuote]) + 1
      let end = base + Int(quotes[eventQuote &+ 1])
      word = word &* 0xD6E8_FEB8_6659_FD93 ^ Self.firstBytes(start, end)
    }
    return UInt32(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 32)
  }

  /// A word that depends on the value's first 16 bytes.
  @inline(__always)
  static func firstBytes(_ start: Address, _ end: Address) -> UInt64 {
    let masks = UnsafeRawPointer(scan_tail_masks()) + (32 - min(end - start, 16))
    let raw = UnsafeRawPointer(start)
    let first = raw.loadUnaligned(as: UInt64.self) & masks.loadUnaligned(as: UInt64.self)
    let second =
      raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      & masks.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return first ^ second &* 0xD6E8_FEB8_6659_FD93
  }

  /// The slot of lines with this tag; a free one if there is none, nil if there is no room.
  @inline(__always)
  func slot(_ tag: UInt32, _ quoteCount: Int) -> Int? {
    for probe in 0..<Self.probesAtMost {
      let slot = (Int(tag) &+ probe) & (Self.slotCapacity &- 1)
      if slots[slot].tag == tag && Int(slots[slot].quoteCount) == quoteCount { return slot }
      if slots[slot].quoteCount == 0 { return slot }
    }
    return nil
  }

  /// The line's answers to the slot's questions.
  @inline(__always)
  func answer(_ slot: Int, _ quotes: UnsafePointer<UInt32>, _ base: Address) -> Int {
    let own = questions + slot &* Self.questionsASlot
    var answer = 0
    // All of them, asked or not: the same work for every line.
    for index in 0..<Self.questionsASlot {
      let question = own[index]
      let place = UnsafeRawPointer(question.place.address(base, quotes))
      let differing = (place.loadUnaligned(as: UInt64.self) ^ question.word) & question.mask
      answer = answer &<< 1 | (differing == 0 ? 1 : 0)
    }
    return slot &* Self.answersASlot &+ answer
  }

  /// Whether all gaps of the template stand where they are to in the line.
  @inline(__always)
  func fits(
    _ template: LineTemplate, _ line: Address, _ quotes: UnsafePointer<UInt32>, _ base: Address
  ) -> Bool {
    base + Int(quotes[0]) - line == Int(template.firstQuoteOffset)
      && scan_pieces(
        way, base, quotes, pieces.start + Int(template.firstPiece), Int(template.pieceCount),
        graph.records)
  }
}

extension LineTemplates {
  /// At least.
  func bytesBeforeFirstValue(of template: LineTemplate) -> Int {
    let first = UnsafeRawPointer(graph.records) + Int(pieces[Int(template.firstPiece)].spelling)
    return Int(first.assumingMemoryBound(to: GapRecord.self).pointee.count)
  }

  static func hash(of path: UnsafeBufferPointer<UInt32>) -> UInt64 {
    path.reduce(0) { ($0 ^ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 &+ $0 &>> 32 }
  }

  /// The template of a way through the graph, if there is one: its pieces are the way's gaps.
  func template(of path: UnsafeBufferPointer<UInt32>) -> Int32? {
    let hash = Self.hash(of: path)
    for number in 0..<templates.count where templates.start[number].pathHash == hash {
      let template = templates.start[number]
      let own = UnsafeBufferPointer(
        start: pieces.start + Int(template.firstPiece), count: Int(template.pieceCount))
      // Behind the last gap come repetitions of it.
      if own.count >= path.count && own.last?.spelling == path.last
        && zip(own, path).allSatisfy({ $0.spelling == $1 })
      {
        return Int32(number)
      }
    }
    return nil
  }
}
