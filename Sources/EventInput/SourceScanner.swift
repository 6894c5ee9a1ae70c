/// Reads sources and hands their events on in batches: the target's one entrance.
///
/// One scanner a worker, used for one source after the other; its name tables grow with each. It
/// is used by one task at a time. Nothing is allocated per event.
public final class SourceScanner {
  private let plan: ScanPlan
  private let formats: FormatMemories
  private var memory: ScanMemory
  /// Whether the file's format has yet to be recognised from its first lines.
  private var isFormatOpen = true
  /// Whether the source's first events share their own ids; `nil` before they were looked at.
  private var hasSharedMessages: Bool?
  private var batch: EventBatch
  private var blocks: [LineBlock] = []
  /// The events of a line that holds several.
  private lazy var listBlock = LineBlock()
  private let redactor: LineRedactor?
  /// Whether the flow file names places of fields.
  private let maps: Bool
  private lazy var recognition = EventRecognition(plan: plan)
  /// Where progress is reported.
  public var progress: ReadProgress?

  /// A scanner for sources that are read one after the other.
  ///
  /// - Parameters:
  ///   - plan: which fields to take from each event.
  ///   - key: what ids are hashed with.
  public init(plan: ScanPlan, key: IdentifierKey) {
    self.plan = plan
    redactor = LineRedactor(plan.redaction.paths)
    maps = !plan.mappedFields.isEmpty
    formats = FormatMemories(plan: plan, key: key)
    memory = formats.first
    batch = EventBatch(slotCount: plan.slotTables.count)
  }

  /// The names seen so far, in the order of the plan's tables. Codes in batches are theirs.
  public var tables: [NameTable] { unsafe memory.scanner.state.pointee.tables }

  /// Reads a source to its end. Throws what `onBatch` throws and errors of the rejects file; a
  /// source that can't be read is named in the summary.
  ///
  /// - Parameter overlap: read and inflate in a second thread; pays for one big compressed file.
  public func scan(
    _ source: InputSource, rejects: RejectWriter?, overlap: Bool = false,
    onBatch: (borrowing EventBatch) throws -> Void
  ) throws -> SourceSummary {
    let (summary, hasOtherTable) = try scan(
      source, rejects, overlap, passingOver: recognition, onBatch)
    // Where an archive holds no events, the rows of its tables are rejects that say what they lack.
    guard hasOtherTable, summary.lines == 0, summary.unreadable == nil, source.canBeReadTwice else {
      return summary
    }
    return try scan(source, rejects, overlap, passingOver: nil, onBatch).summary
  }

  /// - Returns: with the summary whether a table was passed over.
  private func scan(
    _ source: InputSource, _ rejects: RejectWriter?, _ overlap: Bool,
    passingOver recognition: EventRecognition?,
    _ onBatch: (borrowing EventBatch) throws -> Void
  ) throws -> (summary: SourceSummary, hasOtherTable: Bool) {
    let part = rejects?.part(of: source)
    part?.redactor = redactor
    var run = SourceRun(source: source, rejects: part)
    let reader: LineBlockReader
    do {
      reader = try LineBlockReader(
        source, maximumLineBytes: plan.maximumLineBytes, digest: plan.digest,
        passingOver: recognition)
    } catch let problem as InputProblem {
      run.summary.unreadable = problem
      return (run.summary, false)
    }
    let withoutOffset = formats.timestampsWithoutOffset
    formats.folders = FolderColumns(of: source)
    formats.source = source
    batch.stretch()
    batch.count = 0
    hasSharedMessages = nil
    if overlap {
      run.summary.digest = try scanOverlapped(reader, &run, onBatch)
    } else {
      run.summary.digest = try scanInTurn(reader, &run, onBatch)
    }
    try handOn(onBatch)
    formats.handOverSamples()
    try run.rejects?.close()
    run.summary.compression = reader.compression
    run.summary.uncompressedBytes = reader.uncompressedBytes
    run.summary.compressedBytes = reader.file.bytesRead
    let isRead = run.summary.digest != nil
    run.summary.damages =
      reader.log.damages
      + [run.cutShort, isRead ? reader.file.shortening : nil].compactMap { $0 }
    run.summary.passedOverFiles = reader.passedOver
    run.summary.inspection = formats.takeInspection()
    run.summary.changedRows = formats.takeChangedRows()
    run.summary.placeholders = formats.takePlaceholders()
    run.summary.mapped = formats.takeMapped()
    if run.summary.mapped.allSatisfy({ $0.found > 0 }) { run.summary.places = [] }
    run.summary.hasSharedMessages = hasSharedMessages ?? false
    run.summary.timestampsWithoutOffset =
      formats.timestampsWithoutOffset - withoutOffset
    return (run.summary, reader.hasPassedOverTable)
  }

  private func scanInTurn(
    _ reader: LineBlockReader, _ run: inout SourceRun,
    _ onBatch: (borrowing EventBatch) throws -> Void
  ) throws -> SourceDigest? {
    let block = takeBlocks(1)[0]
    while true {
      do {
        guard try reader.next(block) else { return try reader.file.finishDigest() }
      } catch let problem as InputProblem {
        run.summary.unreadable = problem
        return nil
      }
      try scan(block, &run, onBatch)
    }
  }

  private func scanOverlapped(
    _ reader: LineBlockReader, _ run: inout SourceRun,
    _ onBatch: (borrowing EventBatch) throws -> Void
  ) throws -> SourceDigest? {
    let exchange = BlockExchange(blocks: takeBlocks(3))
    exchange.start(reader)
    defer { exchange.stop() }
    while let block = exchange.take() {
      try scan(block, &run, onBatch)
      exchange.giveBack(block)
    }
    switch exchange.outcome() {
    case .success(let digest): return digest
    case .failure(let problem):
      run.summary.unreadable = problem
      return nil
    }
  }

  private func takeBlocks(_ count: Int) -> [LineBlock] {
    while blocks.count < count { blocks.append(LineBlock()) }
    return Array(blocks[..<count])
  }

  private func scan(
    _ block: LineBlock, _ run: inout SourceRun, _ onBatch: (borrowing EventBatch) throws -> Void
  ) throws {
    if let name = block.newName {
      run.begin(name)
      isFormatOpen = true
    }
    let eventsBefore = run.summary.events
    defer {
      progress?.add(
        bytes: run.advance(to: block.bytesRead), events: run.summary.events - eventsBefore)
    }
    if isFormatOpen, case .lines = block.kind {
      isFormatOpen = false
      run.passHead(lines: block.headLines)
      memory = formats.memory(for: block, after: memory)
      if maps { run.summary.note(placesIn: block) }
      if recognition.isNamedByNameAlone(block) { run.summary.isNamedByNameAlone = true }
      if let need = plan.redactedNeed(in: formats.format) { throw need }
      if run.summary.events == 0 { run.summary.format = memory.format }
    }
    if case .longLine(let count) = block.kind {
      if block.beganWithMark { block.restoreMark(at: 0) }
      let fault = EventScanner.tooLong(count, limit: plan.maximumLineBytes)
      try unsafe run.reject(fault, block.start, block.start + block.count - 1)
      return
    }
    try scanLines(block, &run, onBatch)
  }

  private func scanLines(
    _ block: LineBlock, _ run: inout SourceRun, _ onBatch: (borrowing EventBatch) throws -> Void
  ) throws {
    var scanner = memory.scanner
    let end = unsafe block.start + block.count
    var next = unsafe block.start
    var marked = block.beganWithMark ? 0 : nil
    while unsafe next < end {
      let count = batch.count
      guard
        let progress = batch.withColumns({ columns in
          unsafe scanner.format == nil
            ? scanner.fill(columns, count: count, from: next, to: end)
            : scanner.fillInFormat(columns, count: count, from: next, to: end)
        })
      else { return }
      batch.count = progress.count
      unsafe next = progress.next
      if unsafe !scanner.state.pointee.links.isEmpty {
        unsafe batch.links += scanner.state.pointee.links
        unsafe scanner.state.pointee.links.removeAll()
      }
      run.count(progress, events: progress.count - count)
      if unsafe scanner.state.pointee.needsTexts {
        unsafe scanner.state.pointee.needsTexts = false
        memory = formats.memoryForTexts(after: memory)
        scanner = memory.scanner
        continue
      }
      if progress.isReject {
        let place = unsafe next - block.start
        if block.blankMark(at: place, of: block.count) {
          marked = place
          continue
        }
        let lineEnd = unsafe LineScanner.lineFeed(next, end)
        var fault = unsafe scanner.reason(of: next, lineEnd)
        if case .truncatedLine = block.kind {
          fault.reason = .truncated
        } else if let detail = unsafe block.detail(of: fault.reason, next, lineEnd) {
          fault.detail = detail
        }
        if try unsafe scanList(block, fault.reason, next, lineEnd, &run, onBatch) {
          scanner = memory.scanner
        } else {
          if marked == place { block.restoreMark(at: place) }
          try unsafe run.reject(fault, next, lineEnd)
        }
        unsafe next = lineEnd + 1
      }
      if batch.count == EventBatch.capacity { try handOn(onBatch) }
    }
  }

  /// Reads the events of a line that holds several; false if it is no such line.
  private func scanList(
    _ block: LineBlock, _ reason: RejectReason, _ line: UnsafePointer<UInt8>,
    _ lineEnd: UnsafePointer<UInt8>, _ run: inout SourceRun,
    _ onBatch: (borrowing EventBatch) throws -> Void
  ) throws -> Bool {
    guard reason == .notAnObject || reason == .missingEvent, !block.isTable, !run.isInList,
      let events = unsafe ListLine.events(line, lineEnd)
    else { return false }
    listBlock.hold(events)
    run.beginList()
    defer { run.endList() }
    try scanLines(listBlock, &run, onBatch)
    return true
  }

  private func handOn(_ onBatch: (borrowing EventBatch) throws -> Void) throws {
    guard batch.count > 0 else { return }
    batch.trim()
    if hasSharedMessages == nil { hasSharedMessages = batch.hasSharedMessages }
    try onBatch(batch)
    batch.stretch()
    batch.count = 0
    batch.links.removeAll()
  }
}
