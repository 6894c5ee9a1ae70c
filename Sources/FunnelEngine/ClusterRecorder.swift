internal import EventInput
internal import FlowDefinition
internal import Timelines

/// Counts people by the accounts that experiments are compared by, by codes.
struct ClusterRecorder {
  private let columns: ClusterColumns
  private let goalCount: Int
  /// By path, group and account; behind the key the columns.
  private var rows: KeyedRows
  private var amounts: [AmountSum] = []
  private var key: [UInt32] = [0, 0, 0]

  init(_ layout: CounterLayout) {
    columns = ClusterColumns(layout)
    goalCount = layout.goalCount
    rows = KeyedRows(keyWidth: 3, width: 3 + columns.counters.count)
  }

  /// Adds one to the first `listed` of some counters, and a person's amounts, by account.
  mutating func add(_ attempt: Attempt, group: Int, _ increments: [Int32], _ listed: Int) {
    for path in attempt.clusters.indices {
      key[0] = UInt32(truncatingIfNeeded: path)
      key[1] = UInt32(truncatingIfNeeded: group)
      key[2] = attempt.clusters[path]
      let known = rows.count
      let row = rows.row(key, at: 0, hash: rows.hash(key, at: 0))
      if rows.count > known {
        amounts.append(contentsOf: repeatElement(AmountSum(), count: goalCount))
      }
      for place in 0..<listed {
        if let column = columns.column(increments[place]) { rows.add(1, to: row, 3 + column) }
      }
      for goal in attempt.goals.indices where attempt.goals[goal].isReached {
        amounts[row * goalCount + goal].add(attempt.goals[goal].amountMillionths)
      }
    }
  }

  /// Adds what was counted to the table, with the variants of the groups.
  func name(_ groups: [GroupKey], _ compiled: CompiledFlow, _ table: inout ClusterTable) {
    let paths = compiled.flow.clusterPaths
    for row in 0..<rows.count {
      let path = Int(rows.word(row, 0))
      let group = groups[Int(rows.word(row, 1))]
      let account = account(rows.word(row, 2), at: compiled.clusterPlaces[path], compiled)
      let counts = (3..<rows.width).map { rows.word(row, $0) }
      let own = amounts[(row * goalCount)..<((row + 1) * goalCount)]
      for (index, experiment) in compiled.flow.experiments.enumerated()
      where experiment.clusterPath == paths[path] {
        guard let part = part(group, index, experiment) else { continue }
        table.add(part, account: account, counts: counts, amounts: own)
      }
    }
  }

  /// Where people of a group stand; `nil` for people who are compared nowhere.
  private func part(
    _ group: GroupKey, _ index: Int, _ experiment: Experiment
  ) -> ClusterTable.Part? {
    let (name, isExposed): (String?, Bool) =
      switch group.variants[index] {
      case .assigned(let name), .first(let name, of: _): (name, true)
      case .notExposed(let name): (name, false)
      case .unassigned, .outside, .contaminated: (nil, false)
      }
    guard let variant = experiment.variants.firstIndex(where: { $0.id == name }) else {
      return nil
    }
    return ClusterTable.Part(
      experiment: index, variant: variant, period: group.periods[index], isExposed: isExposed)
  }

  /// Accounts beyond those whose names are kept have the few codes that are left for them.
  private func account(_ code: UInt32, at place: Int, _ compiled: CompiledFlow) -> UInt64 {
    if code == 0 { return 0 }
    if code & NameTable.otherFlag != 0 { return UInt64(code) }
    return ClusterTable.hash(compiled.tables.name(ofContextValue: code, at: place))
  }
}
