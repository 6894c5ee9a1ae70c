internal import FlowDefinition

/// Counts people by the combinations of dimensions that experiments are stratified by.
struct CrossingRecorder {
  private let crossings: [[Int]]
  /// The number of each combination: its crossing, its group, and the codes of its values.
  private var numbers: KeyedRows
  private var counters: CounterRows
  private var key: [UInt32]
  private var rows: [Int] = []

  init(_ crossings: [[Int]], width: Int) {
    self.crossings = crossings
    let keyWidth = 2 + (crossings.map(\.count).max() ?? 0)
    numbers = KeyedRows(keyWidth: keyWidth, width: keyWidth)
    counters = CounterRows(width: width)
    key = Array(repeating: 0, count: keyWidth)
  }

  /// Adds one to the first `listed` of some counters, in the cell of each combination.
  mutating func add(
    _ attempt: Attempt, group: Int, _ increments: [Int32], _ listed: Int
  ) {
    guard !crossings.isEmpty else { return }
    rows.removeAll(keepingCapacity: true)
    key[1] = UInt32(truncatingIfNeeded: group)
    for crossing in crossings.indices {
      key[0] = UInt32(truncatingIfNeeded: crossing)
      for place in key.indices.dropFirst(2) { key[place] = 0 }
      for (place, dimension) in crossings[crossing].enumerated() {
        key[2 + place] = attempt.dimensions[dimension]
      }
      let row = numbers.row(key, at: 0, hash: numbers.hash(key, at: 0))
      if row == counters.count { _ = counters.addRow() }
      rows.append(row)
    }
    counters.add(increments, listed, to: rows)
  }

  /// Adds what was counted to cells, with the names of groups and values. Values that read alike,
  /// such as several `(other)`, share a cell.
  func name(_ groups: [GroupKey], _ compiled: CompiledFlow, _ cells: inout [CellKey: [Int]]) {
    for row in 0..<numbers.count {
      let dimensions = crossings[Int(numbers.word(row, 0))]
      let values = dimensions.enumerated().map { place, dimension in
        compiled.dimensionName(dimension, numbers.word(row, 2 + place))
      }
      let key = CellKey(
        group: groups[Int(numbers.word(row, 1))],
        breakdown: BreakdownKey(
          dimension: DimensionCrossing.name(dimensions.map { compiled.flow.dimensions[$0].id }),
          value: DimensionCrossing.value(values)))
      counters.add(row, to: &cells[key, default: Array(repeating: 0, count: counters.width)])
    }
  }
}
