internal import EventInput

/// Sorts the runs of packs into partitions, each with tables of its own: only names that its facts
/// use are in them, in the order in which they are met.
struct PackSorter {
  /// Where the facts of one partition go.
  private final class Output {
    var builder: StoredTablesBuilder
    let buffer = StoredSegmentBuffer()
    /// Codes of the pack at hand as codes here; `.max` where there is none yet.
    var actions: [UInt32] = []
    var contexts: [UInt32] = []
    /// The pack that these are of.
    var pack = -1

    init(_ layout: StoredLayout) { builder = StoredTablesBuilder(layout) }
  }

  /// The facts of one partition.
  struct Sorted {
    var partition: Int
    var tables: StoredTables
    var segment: StoredSegment
  }

  let layout: StoredLayout
  private var outputs: [Output?]
  private var tables: StoredTables
  private var pack = -1
  private var facts: [StoredFact] = []

  init(_ layout: StoredLayout, partitionCount: Int) {
    self.layout = layout
    outputs = Array(repeating: nil, count: partitionCount)
    tables = StoredTables(layout)
  }

  /// Begins with the runs of another pack, which has the same layout.
  mutating func begin(_ tables: StoredTables) {
    self.tables = tables
    pack += 1
  }

  /// Adds a run of one user on one device.
  ///
  /// - Throws: `StoredDamage` for a code that the pack does not have.
  mutating func append(
    user: IdentifierHash, device: IdentifierHash, _ run: some Sequence<StoredFact>,
    to partition: Int
  ) throws(StoredDamage) {
    let output = outputs[partition] ?? Output(layout)
    outputs[partition] = output
    if output.pack != pack {
      output.actions = Array(repeating: .max, count: tables.actionCount)
      output.contexts = Array(repeating: .max, count: tables.contextCount)
      output.pack = pack
    }
    facts.removeAll(keepingCapacity: true)
    for stored in run {
      let fact = stored.fact
      guard Int(fact.action) < output.actions.count, Int(fact.context) < output.contexts.count
      else { throw StoredDamage() }
      facts.append(
        StoredFact(
          fact: Fact(
            timeMilliseconds: fact.timeMilliseconds, action: action(Int(fact.action), output),
            context: context(Int(fact.context), output), session: fact.session,
            message: fact.message),
          source: 0))
    }
    // Codes are others now, so equal facts need not stand together any more.
    FactSorting.sort(&facts)
    output.buffer.append(user: user, device: device, facts)
  }

  /// All partitions with facts, in their order.
  mutating func finish() -> [Sorted] {
    outputs.enumerated().compactMap { partition, output in
      output.map {
        Sorted(
          partition: partition, tables: $0.builder.finish(),
          segment: $0.buffer.take(partition: partition))
      }
    }
  }

  private func action(_ code: Int, _ output: Output) -> UInt32 {
    if output.actions[code] != .max { return output.actions[code] }
    let (width, tables) = (tables.actionWidth, tables)
    let values = tables.actions[(code * width)..<(code * width + width)]
    let given = output.builder.code(ofAction: values) { tables.name($0, column: $1) }
    output.actions[code] = given
    return given
  }

  private func context(_ code: Int, _ output: Output) -> UInt32 {
    if output.contexts[code] != .max { return output.contexts[code] }
    let (width, tables) = (tables.contextWidth, tables)
    let values = tables.contexts[(code * width)..<(code * width + width)]
    let given = output.builder.code(ofContext: values) { tables.name($0, column: $1) }
    output.contexts[code] = given
    return given
  }
}
