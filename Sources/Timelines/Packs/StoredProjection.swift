internal import EventInput

/// How the columns of a layout answer what a flow's schema asks for.
struct StoredProjection: Sendable {
  /// One column that may hold a value, and how its names read for the flow.
  struct Choice: Sendable {
    /// The place in the stored tuple.
    var place: Int
    var column: Int
    var aliases: [String: String]
  }

  /// Where the value of a slot comes from.
  struct Slot: Sendable {
    var constant: String?
    /// The first that has a value counts.
    var choices: [Choice] = []
    /// The schema's table of names.
    var table: Int
    /// Paths that the layout does not have.
    var missing: [[String]] = []
  }

  /// In the order of an action's values in the schema.
  let actions: [Slot]
  let flow: Slot
  let version: Slot
  let experiment: Slot
  let variant: Slot
  /// For each experiment its entry in the events' map.
  let experimentMaps: [Slot]
  let dimensions: [Slot]

  init(_ pack: StoredPackReading, _ schema: FactSchema) {
    func slot(_ slot: Int, _ use: StoredColumn.Use) -> Slot {
      StoredProjection.slot(slot, use, pack, schema)
    }
    actions = schema.actionSlots.map { slot($0, .action) }
    flow = slot(schema.flowSlot, .context)
    version = slot(schema.versionSlot, .context)
    experiment = slot(schema.experimentSlot, .context)
    variant = slot(schema.variantSlot, .context)
    experimentMaps = schema.experimentMapSlots.map { slot($0, .context) }
    dimensions = schema.dimensionSlots.map { slot($0, .context) }
  }

  /// All slots of contexts.
  var contexts: [Slot] { [flow, version, experiment, variant] + experimentMaps + dimensions }

  private static func slot(
    _ number: Int, _ use: StoredColumn.Use, _ pack: StoredPackReading, _ schema: FactSchema
  ) -> Slot {
    let layout = pack.layout
    var slot = Slot(table: schema.plan.slotTables[number])
    let columns = layout.columns(of: use)
    for rule in schema.plan.fields where rule.role == .slot(number) {
      if let constant = rule.constant {
        slot.constant = constant
        continue
      }
      let places = columns.indices.filter {
        layout.columns[columns[$0]].paths.contains(rule.path)
      }
      let place =
        places.first { layout.columns[columns[$0]].isOwn == rule.isOwn }
        ?? (pack.isOfOwnEvents ? places.first : nil)
      if let place {
        slot.choices.append(
          Choice(place: place, column: columns[place], aliases: rule.aliases))
      } else {
        slot.missing.append(rule.path)
      }
    }
    // A constant wins over every path.
    if slot.constant != nil { slot.missing = [] }
    return slot
  }
}
