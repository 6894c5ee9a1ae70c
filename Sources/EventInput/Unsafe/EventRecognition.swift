/// Whether lines hold events: by what some format's events have, or by what a plan asks for.
///
/// Used by one thread at a time.
final class EventRecognition: @unchecked Sendable {
  let detector = FormatDetector()
  let plan: ScanPlan?

  /// - Parameter plan: by which a line may be an event too: that of a flow whose events have names
  ///   of their own, or of a format that was asked for.
  init(plan: ScanPlan?) { self.plan = plan }

  /// Whether one of the block's lines is an event.
  ///
  /// - Parameters:
  ///   - limit: how many of them are judged by the plan.
  ///   - folders: columns that the names of the file's folders hold.
  func findsEvents(
    in block: LineBlock, limit: Int = 20, folders: FolderColumns = .none
  ) -> Bool {
    detector.recognisesEvents(in: block) || hasPlannedEvents(block, limit, folders)
  }

  private func hasPlannedEvents(
    _ block: LineBlock, _ limit: Int, _ folders: FolderColumns
  ) -> Bool {
    // Names of columns alone can't show that such rows are events.
    guard let plan = plan ?? (folders.nameEvents ? .ofAnyFlow() : nil) else { return false }
    let judge = LineJudge(
      plan, key: .fixed, detector.format(of: block, asked: plan.format).format, in: folders)
    let judged = block.judged(judge, limit: limit)
    let fields = judge.fields
    // So many lines show how all are named.
    if judged.events.prefix(20).contains(where: {
      folders.nameEvents
        || EventPlaces(block.line(of: $0, in: judged)).name(plan, fields)
    }) {
      return true
    }
    // Rows that were deleted where they came from are what others of the table are.
    guard let refused = judged.refused, !refused.reason.isFault else { return false }
    let places = EventPlaces(refused.line)
    return places.name(plan, fields) && places.date(fields) && places.identify(plan, fields)
  }

  /// Whether a table of no known tool names its events in a column `name` and in no other, as one
  /// of customers, products or projects has it.
  func isNamedByNameAlone(_ block: LineBlock) -> Bool {
    guard block.isTable, case .lines = block.kind else { return false }
    let format = detector.format(of: block, asked: plan?.format).format
    let plan = plan ?? .ofAnyFlow()
    return format.name == .table
      && EventPlaces(block.firstLine).isNamedByNameAlone(plan, plan.reading(as: format).fields)
  }
}
