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
    // Rows that were deleted where they came from are what others of the table are.
    return !judged.events.isEmpty || judged.refused?.reason == .deleted
  }
}
