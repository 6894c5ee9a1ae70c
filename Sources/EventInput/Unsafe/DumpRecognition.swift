/// Decides by a file's beginning whether it holds events, where its name doesn't show it.
final class DumpRecognition {
  enum Finding: Sendable {
    case events, noEvents, isEmpty
    /// Segment's calls, in the table of one event or of all of them.
    case calls(events: Set<String>, areOfAllEvents: Bool)
    case foreign(String)
    case unreadable(String)
  }

  /// Of an archive: notes may stand before its dumps.
  private static let blocksLookedAt = 200
  private let recognition: EventRecognition
  private let block = LineBlock()
  /// How the table is written in which events were found last; `nil` where they were in no table.
  private(set) var table: TableLayout?

  /// - Parameter plan: see ``EventRecognition/init(plan:)``.
  init(plan: ScanPlan?) { recognition = EventRecognition(plan: plan) }

  func look(_ source: InputSource) -> Finding {
    table = nil
    do {
      let reader = try LineBlockReader(source, maximumLineBytes: 1 << 20)
      var blocks = 0
      while blocks < Self.blocksLookedAt, try reader.next(block) {
        blocks += 1
        if case .lines = block.kind,
          recognition.findsEvents(in: block, folders: FolderColumns(of: source))
        {
          table = reader.isArchive ? nil : reader.table
          return calls(reader.table) ?? .events
        }
        if !reader.isArchive { break }
      }
      // What is damaged from its beginning on may be a dump: reading it says what is wrong.
      if !reader.log.damages.isEmpty { return .events }
      if reader.file.bytesRead == 0 { return .isEmpty }
      let columns = reader.isArchive ? nil : reader.table?.columns ?? block.columnsOfFirstRow
      return columns.flatMap(IdentityTable.kind).map { .foreign($0) } ?? .noEvents
    } catch let problem as InputProblem {
      if case .foreign(let kind) = problem.kind { return .foreign(kind) }
      return .unreadable(problem.message)
    } catch {
      return .unreadable("\(error)")
    }
  }

  /// Whether a file in which no events were found is a part of a table that stands beside it.
  func isPart(_ source: InputSource, of table: TableLayout) -> Bool {
    (try? CutTable.isPart(source, of: table, plan: recognition.plan)) ?? false
  }

  private func calls(_ table: TableLayout?) -> Finding? {
    guard let columns = table?.columns ?? block.columnsOfFirstRow, SegmentTable(columns) != nil
    else { return nil }
    let events = recognition.detector.eventNames(in: block)
    return .calls(events: events, areOfAllEvents: events.count > 1)
  }

  /// The names of all events in a table of Segment's; `nil` if it can't be read.
  func eventNames(of source: InputSource) -> Set<String>? {
    guard let reader = try? LineBlockReader(source, maximumLineBytes: 1 << 20) else { return nil }
    var names: Set<String> = []
    while let isThere = try? reader.next(block) {
      guard isThere, names.count < Self.mostNames else { return names }
      if case .lines = block.kind { names.formUnion(recognition.detector.eventNames(in: block)) }
    }
    return nil
  }

  private static let mostNames = 10_000
}
