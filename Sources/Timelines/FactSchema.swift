public import EventInput
public import FlowDefinition

/// Which values of an event make up a fact, for the flows of one run.
///
/// `Timelines` stands third in the data path: Event → Fact → Timeline. It decides what is kept of
/// an event, whose fact it is (docs/definitions.md), and brings a person's facts together from all
/// files and threads, sorted and without repetition. It evaluates nothing.
///
/// A fact keeps raw values (the page's name and number as they were sent, not the step they mean),
/// so that several flows, and later edits of a flow, can read the same facts.
public struct FactSchema: Sendable {
  /// What the scanner is asked for.
  public internal(set) var plan: ScanPlan
  /// The ids of all experiments of the flows, in the order of the contexts' variant values.
  public let experiments: [String]
  /// By which ids facts become people's (definitions 3).
  public let identity: IdentityRule
  /// How far from a device-only fact a user may be seen on the device to be its owner.
  let stitchWithinMilliseconds: Int64
  /// Slots whose values form an action, in the order of an action's values.
  let actionSlots: [Int]
  /// Dimension slots, in the order of a context's values after flow, version and variants.
  let dimensionSlots: [Int]
  let flowSlot: Int
  let versionSlot: Int
  let experimentSlot: Int
  let variantSlot: Int
  /// For each experiment, the slot of its entry in the events' `experiments` map.
  let experimentMapSlots: [Int]
  let slotOfField: [String: Int]
  /// By the path that a property has in the canonical event.
  let slotOfProperty: [String: Int]

  /// - Parameter format: how all dumps are written; recognised from each dump if not given.
  /// - Throws: `FactSchemaError` if the flows can't be read in one run.
  public init(
    flows: [Flow], maximumLineBytes: Int = 1 << 20, format: EventFormat.Name? = nil
  ) throws(FactSchemaError) {
    guard let first = flows.first else { throw .noFlow }
    for flow in flows {
      do { try flow.checkLimits() } catch { throw .tooLarge(error) }
    }
    for flow in flows.dropFirst() {
      if flow.identity != first.identity { throw .differing(first.id, flow.id, "identity") }
      if flow.stitchWithinMilliseconds != first.stitchWithinMilliseconds {
        throw .differing(first.id, flow.id, "stitch_within")
      }
      if flow.eventNames != first.eventNames { throw .differing(first.id, flow.id, "events") }
      if flow.fields != first.fields { throw .differing(first.id, flow.id, "fields") }
    }
    try Self.checkRedactions(of: flows)
    var builder = FactSchemaBuilder(flows: flows, fields: first.fields, names: first.eventNames)
    builder.build()
    identity = first.identity
    stitchWithinMilliseconds = first.stitchWithinMilliseconds
    experiments = builder.experiments
    actionSlots = builder.actionSlots
    dimensionSlots = builder.dimensionSlots
    flowSlot = builder.slotOfField["flow"] ?? 0
    versionSlot = builder.slotOfField["flow_version"] ?? 0
    experimentSlot = builder.slotOfField["experiment"] ?? 0
    variantSlot = builder.slotOfField["variant"] ?? 0
    experimentMapSlots = builder.experimentMapSlots
    slotOfField = builder.slotOfField
    slotOfProperty = builder.slotOfProperty
    plan = ScanPlan(
      fields: builder.rules, tables: builder.tables, slotTables: builder.slotTables,
      eventSlot: builder.slotOfField["event"] ?? 0, identifiers: first.identity.requiredIdentifiers,
      maximumLineBytes: maximumLineBytes, format: format)
    plan.redaction = Redaction(
      RedactedPaths(flows.flatMap(\.redactedPaths)), needing: builder.rules)
    let time = first.fields.last { $0.field == "timestamp" }
    plan.timeZone = time?.timeZone
    plan.dayOrder = time?.dateOrder.flatMap { DayOrder(rawValue: $0.rawValue) }
  }

  /// The plan by which files in folders are recognised, beside what formats look like; `nil` where
  /// names, times and ids of events are called as in their format.
  ///
  /// - Throws: `FactSchemaError` if the flows can't be read in one run.
  public static func recognition(
    flows: [Flow], format: EventFormat.Name?
  ) throws(FactSchemaError) -> ScanPlan? {
    let needed: Set = ["event", "timestamp", "user_id", "device_id"]
    let areMapped = flows.first?.fields.contains { $0.path != nil && needed.contains($0.field) }
    guard format != nil || areMapped == true else { return nil }
    return try FactSchema(flows: flows, format: format).plan
  }

  /// The schema with notes taken of arrivals and messages.
  public var inspecting: FactSchema {
    var schema = self
    schema.plan.isInspecting = true
    return schema
  }

  /// - Throws: `FactSchemaError` if one flow drops what another uses.
  public static func checkRedactions(of flows: [Flow]) throws(FactSchemaError) {
    for flow in flows {
      if flow.redactedPaths.isEmpty { continue }
      for other in flows {
        if let used = other.usedPaths.first(where: { flow.redaction(of: $0.path) != nil }) {
          throw .redactedAndUsed(flow.id, other.id, used.path)
        }
      }
    }
  }

  /// A copy that also keeps the lines of some events, to look for personal text in.
  public func sampling(_ sampling: PropertySampling) -> FactSchema {
    var schema = self
    schema.plan.sampling = sampling
    return schema
  }

  /// A copy whose sources are named by another digest.
  public func digesting(by kind: SourceDigest.Kind) -> FactSchema {
    var schema = self
    schema.plan.digest = kind
    return schema
  }

  /// A copy that takes no id of these users for a device's.
  func forgetting(_ users: Set<IdentifierHash>) -> FactSchema {
    var schema = self
    schema.plan.forgottenUsers = users
    return schema
  }

  /// A copy that drops more values on reading than its flows ask for.
  public func redacting(_ redaction: Redaction) -> FactSchema {
    var schema = self
    schema.plan.redaction = redaction
    return schema
  }

  /// The place, within an action's values, of a field of the canonical event.
  public func actionIndex(ofField field: String) -> Int? {
    slotOfField[field].flatMap { actionSlots.firstIndex(of: $0) }
  }

  /// The place, within an action's values, of a property that a flow asks for: `properties.variant`
  /// and the field `variant` are two.
  public func actionIndex(ofProperty property: String) -> Int? {
    slotOfProperty[FactSchema.propertyPath(property)].flatMap { actionSlots.firstIndex(of: $0) }
  }

  /// The place, within a context's values, of a dimension, by its path.
  public func contextIndex(ofDimensionPath path: String) -> Int? {
    guard let slot = slotOfField[path] else { return nil }
    return dimensionSlots.firstIndex(of: slot).map { 2 + experiments.count + $0 }
  }

  /// The place, within a context's values, of the accounts that people are compared by, by their
  /// path.
  public func contextIndex(ofClusterPath path: String) -> Int? {
    contextIndex(ofDimensionPath: Self.clusterField(path))
  }

  static func clusterField(_ path: String) -> String { "cluster:\(path)" }

  /// The place, within a context's values, of an experiment's variant.
  public func contextIndex(ofExperiment id: String) -> Int? {
    experiments.firstIndex(of: id).map { 2 + $0 }
  }

  /// Where an action's value stands in the actions of a schema of these flows and others.
  func actionPlace(_ index: Int, in other: FactSchema) -> Int? {
    fields(ofSlot: actionSlots[index]).lazy.compactMap { other.actionIndex(ofField: $0) }.first
  }

  /// Where a context's value stands in the contexts of a schema of these flows and others.
  func contextPlace(_ index: Int, in other: FactSchema) -> Int? {
    switch index {
    case 0, 1: index
    case ..<(2 + experiments.count): other.contextIndex(ofExperiment: experiments[index - 2])
    default:
      fields(ofSlot: dimensionSlots[index - 2 - experiments.count]).lazy
        .compactMap { other.contextIndex(ofDimensionPath: $0) }.first
    }
  }

  private func fields(ofSlot slot: Int) -> [String] {
    slotOfField.filter { $0.value == slot }.keys.sorted()
  }

  /// The name table that codes an action's value.
  public func table(ofActionIndex index: Int) -> Int { plan.slotTables[actionSlots[index]] }

  /// The name table that codes a context's value: flow, version, variants, dimensions.
  public func table(ofContextIndex index: Int) -> Int {
    switch index {
    case 0: plan.slotTables[flowSlot]
    case 1: plan.slotTables[versionSlot]
    case ..<(2 + experiments.count): plan.slotTables[variantSlot]
    default: plan.slotTables[dimensionSlots[index - 2 - experiments.count]]
    }
  }

  /// The name, for people, of an action's value.
  public func fieldName(ofActionIndex index: Int) -> String { name(ofSlot: actionSlots[index]) }

  /// The name, for people, of a context's value.
  public func fieldName(ofContextIndex index: Int) -> String {
    switch index {
    case 0: "flow"
    case 1: "flow_version"
    case ..<(2 + experiments.count): experiments[index - 2]
    default: name(ofSlot: dimensionSlots[index - 2 - experiments.count])
    }
  }

  private func name(ofSlot slot: Int) -> String {
    let fields = slotOfField.filter { $0.value == slot }.keys
    // The shortest name is the canonical one; ties are broken by bytes.
    let name = fields.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } ?? "?"
    return name.split(separator: ".").last.map(String.init) ?? name
  }

  /// How many values an action has.
  public var actionWidth: Int { actionSlots.count }

  /// How many values a context has.
  public var contextWidth: Int { 2 + experiments.count + dimensionSlots.count }

  /// A bare property name means `properties.<name>`.
  public static func propertyPath(_ name: String) -> String {
    name.contains(".") ? name : "properties.\(name)"
  }
}

extension IdentityRule {
  /// Which ids an event must have.
  var requiredIdentifiers: RequiredIdentifiers {
    switch self {
    case .stitched: .any
    case .user: .user
    case .device: .device
    }
  }
}

/// Why flows can't be read in one run.
public enum FactSchemaError: Error, Hashable, CustomStringConvertible {
  case noFlow
  case differing(String, String, String)
  case tooLarge(FlowLimitError)
  /// The first flow drops a path that the second uses.
  case redactedAndUsed(String, String, String)

  /// Which flows or settings don't go together, and what to do about it.
  public var description: String {
    switch self {
    case .noFlow: "no flow was given; name one with --flow"
    case .differing(let first, let second, let key):
      """
      flows '\(first)' and '\(second)' can't be read in one run: their '\(key)' differ. \
      Run them one after the other.
      """
    case .tooLarge(let error): error.description
    case .redactedAndUsed(let redacting, let using, let path):
      """
      flows '\(redacting)' and '\(using)' can't be read in one run: 'redact' of \(redacting) \
      drops '\(path)', which \(using) uses. Run them one after the other.
      """
    }
  }
}
