/// Says of lines whether they are events, and whose, by the rules that reports go by.
///
/// Invariant: `batch` is stretched to its capacity, of which the rows of the lines that were judged
/// last are used.
final class LineJudge {
  private let plan: ScanPlan
  private let key: IdentifierKey
  private let format: EventFormat
  private let folders: FolderColumns
  /// Whether a date is read whichever of its numbers is the month.
  private let takesAnyOrder: Bool
  private var memory: ScanMemory
  private var batch: EventBatch
  /// The events of a line that holds several.
  private(set) lazy var list = LineBlock()

  convenience init(_ format: EventFormat) {
    self.init(.ofAnyFlow(), key: .fixed, format, takesAnyOrder: false)
  }

  /// A judge by the plan and the key of a run, of lines in a source in such folders.
  ///
  /// - Parameter takesAnyOrder: whether a date is a date whichever of its numbers is the month.
  init(
    _ plan: ScanPlan, key: IdentifierKey, _ format: EventFormat, in folders: FolderColumns = .none,
    takesAnyOrder: Bool = true
  ) {
    self.takesAnyOrder = takesAnyOrder
    (self.plan, self.key, self.format, self.folders) = (plan, key, format, folders)
    memory = ScanMemory(plan: plan.reading(as: format), key: key, format: format)
    unsafe memory.scanner.state.pointee.take(folders)
    unsafe memory.scanner.state.pointee.timestamps.takesAnyOrder = takesAnyOrder
    batch = EventBatch(slotCount: plan.slotTables.count)
    batch.stretch()
  }

  /// Judges lines from one on, until one is no event, some hundred are, or the block ends.
  ///
  /// - Parameters:
  ///   - line: where the first one begins, in a block.
  ///   - end: the address after the last one's line feed.
  func judge(
    from line: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> EventScanner.Progress {
    let scanner = memory.scanner
    var progress = batch.withColumns { columns in
      unsafe scanner.format == nil
        ? scanner.fill(columns, count: 0, from: line, to: end)
        : scanner.fillInFormat(columns, count: 0, from: line, to: end)
    }
    unsafe scanner.state.pointee.links.removeAll(keepingCapacity: true)
    if unsafe scanner.state.pointee.needsTexts {
      // From here on properties are a text of JSON: the line is to be judged again.
      let format = format.withTexts()
      memory = ScanMemory(plan: plan.reading(as: format), key: key, format: format)
      unsafe memory.scanner.state.pointee.take(folders)
      unsafe memory.scanner.state.pointee.timestamps.takesAnyOrder = takesAnyOrder
      progress?.isReject = false
    }
    return unsafe progress ?? EventScanner.Progress(next: end, count: 0)
  }

  /// Why the line at which judging stopped is no event.
  func reason(
    _ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> (reason: RejectReason, detail: String) {
    unsafe memory.scanner.reason(of: line, end)
  }

  /// Where events have what is judged.
  var fields: [FieldRule] { plan.reading(as: format).fields }

  /// The device and the user of one of the events that were judged last, in their order.
  func ids(_ row: Int) -> (device: IdentifierHash, user: IdentifierHash) {
    guard row < batch.devices.count else { return (.missing, .missing) }
    return (batch.devices[row], batch.users[row])
  }
}
