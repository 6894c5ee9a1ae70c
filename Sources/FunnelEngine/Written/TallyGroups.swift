internal import FlowDefinition

/// Groups by their numbers, for what is written down.
struct TallyGroups {
  private(set) var all: [GroupKey]
  private let numbers: [GroupKey: Int]

  /// - Parameter keys: in any order, also several times.
  init(_ keys: some Sequence<GroupKey>) {
    let sorted = Set(keys).map { ($0, TallyGroups.order($0)) }.sorted {
      $0.1.lexicographicallyPrecedes($1.1) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    all = sorted.map(\.0)
    numbers = Dictionary(zip(all, 0...), uniquingKeysWith: { first, _ in first })
  }

  init(_ records: [TallyRecord.Group], experiments: [Experiment]) throws(TallyMisfit) {
    var groups: [GroupKey] = []
    for record in records {
      guard record.variants.count == experiments.count,
        record.periods.count == experiments.count,
        zip(record.periods, experiments).allSatisfy({ $1.splits.indices.contains($0) })
      else { throw TallyMisfit() }
      var variants: [VariantState] = []
      for variant in record.variants { variants.append(try VariantState(variant)) }
      groups.append(
        GroupKey(version: record.version, variants: variants, periods: record.periods))
    }
    all = groups
    numbers = Dictionary(zip(groups, 0...), uniquingKeysWith: { first, _ in first })
  }

  func number(_ key: GroupKey) -> Int { numbers[key] ?? 0 }

  func group(_ number: Int) throws(TallyMisfit) -> GroupKey {
    guard all.indices.contains(number) else { throw TallyMisfit() }
    return all[number]
  }

  var records: [TallyRecord.Group] {
    all.map { group in
      TallyRecord.Group(
        version: group.version, variants: group.variants.map(\.record), periods: group.periods)
    }
  }

  private static func order(_ group: GroupKey) -> [String] {
    [group.version]
      + group.variants.flatMap { variant in
        let record = variant.record
        return [record.state, record.name ?? "", record.names?.joined(separator: "\u{0}") ?? ""]
      } + group.periods.map(String.init)
  }
}

extension VariantState {
  var record: TallyRecord.Variant {
    switch self {
    case .unassigned: TallyRecord.Variant(state: "unassigned")
    case .outside: TallyRecord.Variant(state: "outside")
    case .assigned(let name): TallyRecord.Variant(state: "assigned", name: name)
    case .notExposed(let name): TallyRecord.Variant(state: "notExposed", name: name)
    case .contaminated(let names): TallyRecord.Variant(state: "contaminated", names: names)
    case .first(let name, of: let names):
      TallyRecord.Variant(state: "first", name: name, names: names)
    }
  }

  init(_ record: TallyRecord.Variant) throws(TallyMisfit) {
    switch (record.state, record.name, record.names) {
    case ("unassigned", _, _): self = .unassigned
    case ("outside", _, _): self = .outside
    case ("assigned", let name?, _): self = .assigned(name)
    case ("notExposed", let name, _): self = .notExposed(name)
    case ("contaminated", _, let names?): self = .contaminated(names)
    case ("first", let name?, let names?): self = .first(name, of: names)
    default: throw TallyMisfit()
    }
  }
}
