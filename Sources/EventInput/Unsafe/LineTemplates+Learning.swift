import CScanKernel

// What is learned from a line that was walked.
extension LineTemplates {
  /// Makes a template of the way that the line was walked, and has its slot lead to it.
  mutating func learn(
    _ path: UnsafeBufferPointer<UInt32>, _ lines: LineScanner, _ quotes: UnsafePointer<UInt32>,
    _ quoteCount: Int, _ base: Address
  ) {
    let place = tag(quotes, quoteCount, base)
    guard let slot = slot(place, quoteCount) else { return patience.noteMiss(cost: 4) }
    let isFree = slots[slot].quoteCount == 0
    let other = isFree ? Self.unknown : answers[answer(slot, quotes, base)]
    if other != Self.unknown && !noteMiss(slot) { return }
    let number = template(of: path) ?? TemplateBuilder.add(path, lines, to: &self)
    if let number { eventQuote = Int(templates[Int(number)].eventQuote) }
    // Where the event's name stands may be news: then the next such line will be learned.
    if tag(quotes, quoteCount, base) != place { return patience.noteMiss(cost: 4) }
    if isFree { slots[slot] = Slot(tag: place, quoteCount: Int32(quoteCount)) }
    guard let number, Int(templates[Int(number)].quoteCount) == quoteCount else {
      answers[answer(slot, quotes, base)] = Self.impossible
      return patience.noteMiss(cost: 8)
    }
    if other >= 0 && Int32(other) != number { tellApart(other, slot, quotes, base) }
    answers[answer(slot, quotes, base)] = Int16(number)
  }

  /// Adds a question that a template, which did not fit, answers otherwise than the line. What
  /// leads from answers to templates is then learned anew.
  private mutating func tellApart(
    _ template: Int16, _ slot: Int, _ quotes: UnsafePointer<UInt32>, _ base: Address
  ) {
    let count = Int(slots[slot].questionCount)
    guard count < Self.questionsASlot,
      let question = question(templates.start[Int(template)], quotes, base)
    else { return patience.noteMiss(cost: 8) }
    questions[slot * Self.questionsASlot + count] = question
    slots[slot].questionCount += 1
    (answers + slot * Self.answersASlot).update(repeating: Self.unknown, count: Self.answersASlot)
  }

  /// What stands in the template where the line has something else first.
  private func question(
    _ template: LineTemplate, _ quotes: UnsafePointer<UInt32>, _ base: Address
  ) -> Question? {
    for index in 0..<Int(template.pieceCount) {
      let piece = pieces.start[Int(template.firstPiece) + index]
      // Before the first quote there may be less than the piece has.
      if piece.quote == 0 && piece.offset < 0 { continue }
      let place = TemplatePlace(quote: piece.quote, offset: piece.offset)
      let record = UnsafeRawPointer(graph.records) + Int(piece.spelling)
      let text = UnsafeRawBufferPointer(start: place.address(base, quotes), count: 32)
      let spelling = UnsafeRawBufferPointer(start: record, count: 32)
      let mask = UnsafeRawBufferPointer(start: record + 32, count: 32)
      guard let first = (0..<32).first(where: { (text[$0] ^ spelling[$0]) & mask[$0] != 0 }) else {
        continue
      }
      var question = Question(place: place)
      question.place.offset += Int16(first)
      for index in first..<min(first + 8, 32) {
        let shift = UInt64(8 * (index - first))
        question.word |= UInt64(spelling[index]) << shift
        question.mask |= UInt64(mask[index]) << shift
      }
      question.word = UInt64(littleEndian: question.word)
      question.mask = UInt64(littleEndian: question.mask)
      return question
    }
    return nil
  }
}
