/// Looks through a source's times for one that shows whether the month or the day comes first:
/// `11/24/2026` has the month first, for there is no 24th month, and `1/2/2026` shows nothing.
@safe struct DayOrderSurvey {
  /// Lines at a file's beginning that show whether its dates end with the year.
  private static let lineCount = 20

  private let memory: ScanMemory
  private var found: Set<DayOrder> = []
  private var hasSuchDate = false

  private init(_ plan: ScanPlan, _ format: EventFormat) {
    memory = ScanMemory(plan: plan.reading(as: format), key: .fixed, format: format)
  }

  /// The order of a source's dates; `nil` where they don't end with the year, show nothing, or
  /// disagree.
  ///
  /// All of a source is read once more for it, unless it can be read only once: then what was read
  /// already has to show it.
  ///
  /// - Parameter block: the file's first lines.
  static func order(
    of source: InputSource?, beginning block: LineBlock, _ plan: ScanPlan, _ format: EventFormat
  ) -> DayOrder? {
    guard case .lines = block.kind, mayHoldSuchDate(block) else { return nil }
    var survey = DayOrderSurvey(plan, format)
    survey.look(at: block, limit: lineCount)
    guard survey.hasSuchDate else { return nil }
    survey.look(at: block)
    if let source, source.canBeReadTwice { survey.look(through: source, plan) }
    return survey.found.count == 1 ? survey.found.first : nil
  }

  private mutating func look(through source: InputSource, _ plan: ScanPlan) {
    guard
      let reader = try? LineBlockReader(
        source, maximumLineBytes: plan.maximumLineBytes, passingOver: EventRecognition(plan: plan))
    else { return }
    let block = LineBlock()
    while found.count < DayOrder.allCases.count, (try? reader.next(block)) == true {
      if case .lines = block.kind { look(at: block) }
    }
  }

  private mutating func look(at block: LineBlock, limit: Int = .max) {
    let scanner = memory.scanner
    let end = unsafe block.start + block.count
    var (line, left) = unsafe (block.start, limit)
    while unsafe line < end, left > 0 {
      let first = unsafe scanner.lines.lexer.skipSpace(line)
      if unsafe first.pointee == UInt8(ascii: "{"),
        unsafe scanner.lines.scanObject(first, node: 0, depth: 1) != nil,
        scanner.format?.complete() != false
      {
        note(scanner)
      }
      unsafe line = LineScanner.lineFeed(line, end) + 1
      left -= 1
    }
  }

  /// Takes note of the time of the line that was just walked.
  private mutating func note(_ scanner: EventScanner) {
    let leaves = unsafe scanner.state.pointee.timestampLeaves
    for index in 0..<leaves.count {
      guard let text = unsafe scanner.scalarText(leaves[index].pointee), unsafe !text.isEmpty
      else { continue }
      let start = unsafe text.firstIndex { $0 > 0x20 } ?? 0
      guard let date = unsafe YearLastDate(UnsafeRawBufferPointer(rebasing: text[start...])) else {
        return
      }
      hasSuchDate = hasSuchDate || !date.isDateAlone
      if let order = date.order { found.insert(order) }
      return
    }
  }

  /// Whether something like `1/2/2026` stands anywhere in the first lines: most files have none,
  /// and nothing more is looked at.
  private static func mayHoldSuchDate(_ block: LineBlock) -> Bool {
    let end = unsafe block.start + block.count
    var (line, left) = unsafe (block.start, lineCount)
    while unsafe line < end, left > 0 {
      let next = unsafe LineScanner.lineFeed(line, end)
      let text = unsafe UnsafeBufferPointer(start: line, count: max(0, next - line))
      for place in text.indices.dropFirst() where unsafe YearLastDate.isMark(text[place]) {
        guard unsafe isDigit(text[place - 1]) else { continue }
        let behind = unsafe text[(place + 1)...]
        let digits = unsafe behind.prefix(while: isDigit)
        let year = unsafe behind.dropFirst(digits.count)
        if unsafe 1...2 ~= digits.count, unsafe year.first == text[place],
          unsafe year.dropFirst().prefix(4).count(where: isDigit) == 4
        {
          return true
        }
      }
      unsafe line = next + 1
      left -= 1
    }
    return false
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
