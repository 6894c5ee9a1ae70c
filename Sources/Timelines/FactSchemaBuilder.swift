internal import EventInput
internal import FlowDefinition

/// Collects paths, slots and name tables from flows. Two fields with one path share one slot,
/// unless the values there get other names for one of them: a page's name may stand in the event's.
struct FactSchemaBuilder {
  private let flows: [Flow]
  private let mappings: [String: FieldMapping]
  private let eventAliases: [String: String]
  /// The patterns of each flow, and the marks of people whom it leaves out: of any event, these
  /// have the name "".
  private let patterns: [[EventPattern]]
  /// The values that conditions and goals ask for, by the property's path.
  private var valuesAsked: [String: [String]]

  private(set) var rules: [FieldRule] = []
  private(set) var tables: [NameTablePlan] = []
  private(set) var slotTables: [Int] = []
  private(set) var slotOfField: [String: Int] = [:]
  /// By the path that a property has in the canonical event, wherever it is read from.
  private(set) var slotOfProperty: [String: Int] = [:]
  private(set) var experiments: [String] = []
  private(set) var experimentMapSlots: [Int] = []
  private(set) var actionSlots: [Int] = []
  private var isActionSlot: Set<Int> = []
  private(set) var dimensionSlots: [Int] = []
  private var slotsOfPath: [String: [(slot: Int, aliases: [String: String])]] = [:]

  init(flows: [Flow], fields: [FieldMapping], names: [NameMapping]) {
    self.flows = flows
    mappings = Dictionary(fields.map { ($0.field, $0) }, uniquingKeysWith: { $1 })
    eventAliases = Dictionary(names.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
    patterns = flows.map { flow in
      flow.eventPatterns
        + flow.leaveOut.marks.map { EventPattern(event: $0.event ?? "", conditions: $0.conditions) }
    }
    valuesAsked = patterns.joined().flatMap(\.conditions).reduce(into: [:]) {
      $0[FactSchema.propertyPath($1.property), default: []] += $1.values
    }
    for goal in flows.flatMap(\.goals) {
      guard case .preferred(let values) = goal.take, let property = goal.by else { continue }
      valuesAsked[FactSchema.propertyPath(property), default: []] += values
    }
  }

  mutating func build() {
    addIdentity()
    addOnboardingFields()
    addProperties()
    addContext()
  }

  private mutating func addIdentity() {
    let roles: [(String, FieldRule.Role)] = [
      ("timestamp", .timestamp), ("user_id", .user), ("device_id", .device),
      ("session_id", .session), ("previous_id", .otherUser), ("message_id", .message),
    ]
    for (field, role) in roles {
      let own = mappings[field]?.path
      rules.append(FieldRule(path: split(own ?? field), role: role, isOwn: own != nil))
    }
  }

  private mutating func addOnboardingFields() {
    let pages = table(
      flows.flatMap { $0.steps.map(\.id) } + asked("page_name") + asked("skipped_at_page"),
      limit: 1000)
    let numbers = table(
      asked("page_number") + asked("page_index") + asked("skipped_at_index"), limit: 200)
    let permissions = table(flows.flatMap(\.permissions) + asked("permission"), limit: 100)
    let events = table(CanonicalNames.events + patternEvents(), limit: 1000)
    addAction("event", path: "event", table: events, aliases: eventAliases)
    addOnboardingField("page_name", pages)
    addOnboardingField("page_number", numbers)
    addOnboardingField("page_index", numbers)
    addOnboardingField("item", table(asked("item"), limit: 100))
    addOnboardingField("skipped_at_page", pages)
    addOnboardingField("skipped_at_index", numbers)
    addOnboardingField(
      "completion_method",
      table(CanonicalNames.methods + asked("completion_method"), limit: 100))
    addOnboardingField("permission", permissions)
    addOnboardingField("status", table(CanonicalNames.statuses + asked("status"), limit: 100))
    addOnboardingField("prompted", table(["true", "false"] + asked("prompted"), limit: 10))
  }

  private mutating func addOnboardingField(_ field: String, _ table: Int) {
    let path = FactSchema.propertyPath(field)
    slotOfProperty[path] = addAction(field, path: path, table: table)
  }

  /// The values of a property that any flow asks for: they keep their names however many others
  /// there are.
  private func asked(_ property: String) -> [String] {
    valuesAsked[FactSchema.propertyPath(property)] ?? []
  }

  /// Properties that goals, friction, retention, funnels and marks look at.
  private mutating func addProperties() {
    let amounts = Set(flows.flatMap { $0.goals.compactMap(\.value) }.map(FactSchema.propertyPath))
    for (flow, patterns) in zip(flows, patterns) {
      var properties = patterns.flatMap { $0.conditions.map(\.property) }
      properties += flow.goals.compactMap(\.by) + flow.goals.compactMap(\.value)
      for property in properties {
        let path = FactSchema.propertyPath(property)
        if slotOfProperty[path] != nil { continue }
        slotOfProperty[path] = addAction(
          path, path: path,
          table: table(asked(property), limit: amounts.contains(path) ? 10_000 : 100))
      }
    }
  }

  private mutating func addContext() {
    addSlot("flow", path: "flow", table: table(flows.map(\.id), limit: 50))
    let versions = flows.flatMap { $0.versions.map(\.name) + [$0.newestVersion].compactMap { $0 } }
    addSlot("flow_version", path: "flow_version", table: table(versions, limit: 50))
    experiments = unique(flows.flatMap { $0.experiments.map(\.id) })
    addSlot("experiment", path: "experiment", table: table(experiments, limit: 50))
    let variants = flows.flatMap { $0.experiments.flatMap { $0.variants.map(\.id) } }
    let variantTable = table(variants, limit: 50, tellsOthersApart: true)
    addSlot("variant", path: "variant", table: variantTable)
    for id in experiments {
      experimentMapSlots.append(
        addSlot("experiments.\(id)", keys: ["experiments", id], table: variantTable))
    }
    for dimension in flows.flatMap(\.dimensions) {
      let slot = addSlot(
        dimension.path, keys: keys(of: dimension.id, at: dimension.path),
        table: slotOfField[dimension.path].map { slotTables[$0] } ?? table([], limit: 100),
        isOwn: mappings[dimension.id]?.path != nil)
      if !dimensionSlots.contains(slot) { dimensionSlots.append(slot) }
    }
    for path in unique(flows.flatMap(\.clusterPaths)) { addCluster(path) }
  }

  /// Accounts have a slot of their own also where their path is a dimension's: a dimension has few
  /// values, and accounts are many.
  private mutating func addCluster(_ path: String) {
    let slot = slotTables.count
    slotTables.append(table([], limit: 100_000, tellsOthersApart: true))
    slotOfField[FactSchema.clusterField(path)] = slot
    rules.append(FieldRule(path: split(path), role: .slot(slot)))
    dimensionSlots.append(slot)
  }

  private func patternEvents() -> [String] {
    zip(flows, patterns).flatMap { flow, patterns in
      patterns.map(\.event) + flow.notActivity
    }
  }

  @discardableResult
  private mutating func addAction(
    _ field: String, path: String, table: Int, aliases: [String: String] = [:]
  ) -> Int {
    let slot = addSlot(field, path: path, table: table, aliases: aliases)
    if isActionSlot.insert(slot).inserted { actionSlots.append(slot) }
    return slot
  }

  @discardableResult
  private mutating func addSlot(
    _ field: String, path: String, table: Int, aliases: [String: String] = [:]
  ) -> Int {
    let mapped = mappings[field]
    var aliases = aliases
    let values = mapped?.values ?? []
    for value in values { aliases[value.from] = value.to }
    let meanings = DeclaredNames(values.map(\.from))
    for spelling in values.flatMap({ NameSpellings.others(of: $0.from) })
    where aliases[spelling] == nil {
      aliases[spelling] = meanings[spelling].map { values[$0].to }
    }
    if let constant = mapped?.constant {
      return addSlot(field, keys: [], table: table, constant: constant)
    }
    return addSlot(
      field, keys: keys(of: field, at: path), table: table, aliases: aliases,
      isOwn: mapped?.path != nil)
  }

  /// Where a field stands. The path `event` is the event's name as it was sent, also where the flow
  /// file has it in a place of its own.
  private func keys(of field: String, at usual: String) -> [String] {
    let path = mappings[field]?.path ?? usual
    return split(path == "event" ? mappings["event"]?.path ?? path : path)
  }

  @discardableResult
  private mutating func addSlot(
    _ field: String, keys: [String], table: Int, aliases: [String: String] = [:],
    constant: String? = nil, isOwn: Bool = false
  ) -> Int {
    let path = keys.joined(separator: ".")
    if constant == nil, let known = shared(slotsOfPath[path] ?? [], aliases) {
      slotOfField[field] = known
      return known
    }
    let slot = slotTables.count
    slotTables.append(table)
    slotOfField[field] = slot
    if constant == nil { slotsOfPath[path, default: []].append((slot, aliases)) }
    rules.append(
      FieldRule(
        path: keys, role: .slot(slot), aliases: aliases, constant: constant, isOwn: isOwn))
    return slot
  }

  /// The slot at a field's path that has the names it wants. Where values get other names for one
  /// field, another one is wanted as it was sent.
  private func shared(
    _ slots: [(slot: Int, aliases: [String: String])], _ aliases: [String: String]
  ) -> Int? {
    slots.first { $0.aliases == aliases }?.slot
  }

  /// A table in which declared names have a place however they are spelled.
  private mutating func table(
    _ declared: [String], limit: Int, tellsOthersApart: Bool = false
  ) -> Int {
    tables.append(
      NameTablePlan(
        declared: unique(declared + declared.flatMap(NameSpellings.others)), limit: limit,
        tellsOthersApart: tellsOthersApart))
    return tables.count - 1
  }

  private func split(_ path: String) -> [String] { path.split(separator: ".").map(String.init) }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
