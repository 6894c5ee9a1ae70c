/// Says of single lines whether they are events, by the rules that reports go by.
///
/// Invariant: `batch` is stretched to its capacity, of which one row is used.
final class LineJudge {
  private let memory: ScanMemory
  private var batch: EventBatch

  convenience init(_ format: EventFormat) { self.init(.ofAnyFlow(), key: .fixed, format) }

  /// A judge by the plan and the key of a run.
  init(_ plan: ScanPlan, key: IdentifierKey, _ format: EventFormat) {
    memory = ScanMemory(plan: plan.reading(as: format), key: key, format: format)
    batch = EventBatch(slotCount: plan.slotTables.count)
    batch.stretch()
  }

  /// - Parameters:
  ///   - line: where it begins, in a block.
  ///   - end: the address after its line feed.
  func isEvent(_ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    let scanner = memory.scanner
    let progress = batch.withColumns { columns in
      scanner.format == nil
        ? scanner.fill(columns, count: 0, from: line, to: end)
        : scanner.fillInFormat(columns, count: 0, from: line, to: end)
    }
    return progress?.count == 1
  }

  /// Why the line that was judged last is no event.
  func reason(
    _ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> (reason: RejectReason, detail: String) {
    memory.scanner.reason(of: line, end)
  }

  /// The device and the user of the line that was judged last, if it is an event.
  var ids: (device: IdentifierHash, user: IdentifierHash) {
    (batch.devices.first ?? .missing, batch.users.first ?? .missing)
  }
}
