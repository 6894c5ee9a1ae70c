/// One `ScanMemory` for each format that a scanner has met, all with the same name tables: the
/// memory that is in use holds them, and hands them on to the next.
///
/// Codes and the caches of codes stay good: a name's code never changes its meaning.
final class FormatMemories {
  private let plan: ScanPlan
  private let key: IdentifierKey
  private var memories: [DetectedFormat: ScanMemory] = [:]
  private var current: DetectedFormat
  private let detector = FormatDetector()
  /// Of the source at hand.
  var folders = FolderColumns.none
  /// The source at hand.
  var source: InputSource?
  /// The memory of canonical events, or of the format that the plan asks for.
  let first: ScanMemory

  init(plan: ScanPlan, key: IdentifierKey) {
    self.plan = plan
    self.key = key
    current = DetectedFormat(name: plan.format ?? .canonical)
    let format = current.format
    first = ScanMemory(plan: plan.reading(as: format), key: key, format: format)
    memories[current] = first
  }

  /// The memory for a file that begins with this block.
  func memory(for block: LineBlock, after previous: ScanMemory) -> ScanMemory {
    var detected = detector.format(of: block, asked: plan.format)
    if plan.dayOrder == nil {
      detected.dayOrder = DayOrderSurvey.order(
        of: source, beginning: block, plan, detected.format)
    }
    return memory(for: detected, after: previous)
  }

  /// That of the memory that was asked for last.
  var format: EventFormat { current.format }

  /// The memory for the rest of a file in which the properties are a text of JSON from a line on
  /// that decided nothing.
  func memoryForTexts(after previous: ScanMemory) -> ScanMemory {
    var detected = current
    detected.hasTexts = true
    return memory(for: detected, after: previous)
  }

  private func memory(for detected: DetectedFormat, after previous: ScanMemory) -> ScanMemory {
    let memory = known(detected, after: previous)
    unsafe memory.scanner.state.pointee.take(folders)
    return memory
  }

  private func known(_ detected: DetectedFormat, after previous: ScanMemory) -> ScanMemory {
    if detected == current { return previous }
    current = detected
    let tables = unsafe previous.scanner.state.pointee.tables
    unsafe previous.scanner.state.pointee.tables = []
    if let known = memories[detected] {
      unsafe known.scanner.state.pointee.tables = tables
      return known
    }
    let format = detected.format
    let memory = ScanMemory(
      plan: plan.reading(as: format), key: key, format: format, tables: tables)
    memories[detected] = memory
    return memory
  }

  /// What the events of the source that ends here showed, in all formats; then begins anew.
  func takeInspection() -> SourceInspection? {
    guard plan.isInspecting else { return nil }
    var sum = SourceInspection()
    for memory in memories.values {
      if let inspector = memory.inspector {
        sum.merge(inspector.inspection)
        inspector.inspection = SourceInspection()
      }
    }
    return sum
  }

  /// Where the source that ends here has what the flow file maps, over all formats; then begins
  /// anew.
  func takeMapped() -> [MappedSight] {
    let fields = plan.mappedFields
    if fields.isEmpty { return [] }
    var sights: [MappedField: MappedSight] = [:]
    for memory in memories.values {
      let state = unsafe memory.scanner.state
      let mapped = unsafe state.pointee.mapped
      let lines = unsafe state.pointee.linesWithMapping
      unsafe state.pointee.linesWithMapping = 0
      if lines == 0 { continue }
      for index in 0..<mapped.count {
        let field = unsafe mapped[index].pointee.field
        let sight = unsafe mapped[index].pointee.take(
          lines: lines, isEventName: field.role == .slot(plan.eventSlot))
        sights[field, default: MappedSight(field: field, isEventName: sight.isEventName)].add(sight)
      }
    }
    return fields.compactMap { sights[$0] }
  }

  /// Gives the sampled lines of all formats to the run's sample.
  func handOverSamples() {
    for memory in memories.values { unsafe memory.scanner.sampled.pointee.handOver() }
  }

  /// Over all formats.
  var timestampsWithoutOffset: Int {
    memories.values.reduce(0) { unsafe $0 + $1.scanner.state.pointee.timestampsWithoutOffset }
  }

  /// Over all formats, of the source that ends here; then begins anew.
  func takeChangedRows() -> Int {
    memories.values.reduce(0) { sum, memory in
      let state = unsafe memory.scanner.state
      defer { unsafe state.pointee.changedRows = 0 }
      return unsafe sum + state.pointee.changedRows
    }
  }

  /// Over all formats, by name, of the source that ends here; then begins anew.
  func takePlaceholders() -> [String: Int] {
    var counts: [String: Int] = [:]
    for memory in memories.values {
      let state = unsafe memory.scanner.state
      for (number, count) in unsafe state.pointee.placeholders.enumerated() where count > 0 {
        counts[PlaceholderIdentifier.names[number], default: 0] += count
        unsafe state.pointee.placeholders[number] = 0
      }
    }
    return counts
  }
}
