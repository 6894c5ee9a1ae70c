internal import FlowDefinition

/// Counts people by the combinations of dimensions that experiments are stratified by.
struct CrossingRecorder {
  /// One value behind the values of a node: combinations are found value by value, so that no list
  /// of codes has to be made for a person.
  private struct Branch: Hashable {
    var parent: Int
    var code: UInt32
  }

  private struct Place: Hashable {
    var group: Int
    var node: Int
  }

  private let crossings: [[Int]]
  private var nodes: [Branch: Int] = [:]
  /// Of each node the crossing and the codes on the way to it.
  private var codes: [(crossing: Int, codes: [UInt32])]
  private var rowOf: [Place: Int] = [:]
  private var keys: [Place] = []
  private var counters: CounterRows
  private var rows: [Int] = []

  init(_ crossings: [[Int]], width: Int) {
    self.crossings = crossings
    counters = CounterRows(width: width)
    codes = crossings.indices.map { ($0, []) }
  }

  /// Adds one to the first `listed` of some counters, in the cell of each combination.
  mutating func add(
    _ attempt: Attempt, group: Int, _ increments: [Int32], _ listed: Int
  ) {
    guard !crossings.isEmpty else { return }
    rows.removeAll(keepingCapacity: true)
    for crossing in crossings.indices {
      var node = crossing
      for dimension in crossings[crossing] {
        node = child(of: node, attempt.dimensions[dimension])
      }
      rows.append(row(Place(group: group, node: node)))
    }
    counters.add(increments, listed, to: rows)
  }

  private mutating func child(of parent: Int, _ code: UInt32) -> Int {
    let branch = Branch(parent: parent, code: code)
    if let known = nodes[branch] { return known }
    nodes[branch] = codes.count
    codes.append((codes[parent].crossing, codes[parent].codes + [code]))
    return codes.count - 1
  }

  private mutating func row(_ place: Place) -> Int {
    if let known = rowOf[place] { return known }
    let row = counters.addRow()
    rowOf[place] = row
    keys.append(place)
    return row
  }

  /// Adds what was counted to cells, with the names of groups and values. Values that read alike,
  /// such as several `(other)`, share a cell.
  func name(_ groups: [GroupKey], _ compiled: CompiledFlow, _ cells: inout [CellKey: [Int]]) {
    for row in keys.indices {
      let (crossing, values) = codes[keys[row].node]
      let dimensions = crossings[crossing]
      let key = CellKey(
        group: groups[keys[row].group],
        breakdown: BreakdownKey(
          dimension: DimensionCrossing.name(dimensions.map { compiled.flow.dimensions[$0].id }),
          value: DimensionCrossing.value(
            zip(dimensions, values).map { compiled.dimensionName($0, $1) })))
      counters.add(row, to: &cells[key, default: Array(repeating: 0, count: counters.width)])
    }
  }
}
