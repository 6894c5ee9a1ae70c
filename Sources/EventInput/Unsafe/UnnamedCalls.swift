/// Gives rows of a table that has no column for an event's name the name of their call: lines of
/// JSON, each by what it has (`SegmentTable`). Tables with a header are named by that.
struct UnnamedCalls {
  private let event: Int
  /// Where the event's name may stand.
  private let names: [Int]
  private let calls: [(name: StaticString, columns: [Int], others: [Int])]

  /// - Parameter leaf: the leaf at a path.
  init?(_ format: EventFormat, _ leaf: ([String]?) -> Int?) {
    guard let event = leaf(["event"]) else { return nil }
    self.event = event
    names = (format.places[["event"]] ?? []).compactMap { leaf($0) }
    calls = SegmentTable.calls.map { call in
      (call.name, call.columns.compactMap { leaf([$0]) }, call.others.compactMap { leaf([$0]) })
    }
  }

  /// Puts the name of the call in the event's place, where the row that was walked has none.
  func name(_ lines: LineScanner) {
    func isThere(_ leaf: Int) -> Bool { unsafe lines.kinds[leaf] != ValueKind.missing }
    if names.contains(where: isThere) { return }
    let call = calls.first {
      $0.columns.contains(where: isThere) && !$0.others.contains(where: isThere)
    }
    let name = call?.name ?? SegmentTable.otherCall
    // A static text is there as long as the program.
    unsafe lines.starts[event] = name.utf8Start
    unsafe lines.ends[event] = name.utf8Start + name.utf8CodeUnitCount
    unsafe lines.kinds[event] = ValueKind.string
  }
}
