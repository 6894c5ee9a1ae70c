/// Where a target or a rule of a gate looks for a metric's number.
struct MetricPlace {
  /// How a slice is cut by one of its columns.
  enum Cut: Hashable {
    case all, each
    case one(String)
  }

  var metric: MetricName
  /// The metric's step, goal, permission …; empty where it has none, or where a rule goes over all.
  var step: String
  var version: Cut
  /// The only experiment where the file names none.
  var experiment: Experiment?
  var variant: Cut
  /// `os` and, where one value is named, `iOS`.
  var dimension: String?
  var value: String?
  /// Whether a rule holds the variant against its control.
  var isAgainstControl = false

  /// Whether the metric itself compares a variant with its control.
  var isOfVariantAndControl: Bool { metric.comparison.map { !$0.isObservational } ?? false }

  /// - Parameter forEach: what a rule goes over.
  init(
    _ metric: MetricName, step: String, in slice: [NameMapping], forEach: [String] = [],
    of flow: Flow
  ) {
    func named(_ key: String) -> String? { slice.first { $0.from == key }?.to }
    func cut(_ key: String) -> Cut {
      forEach.contains(key) ? .each : named(key).map { .one($0) } ?? .all
    }
    self.metric = metric
    self.step = step
    version = cut("version")
    variant = cut("variant")
    let only = flow.experiments.count == 1 ? flow.experiments.first : nil
    experiment = named("experiment").map { id in flow.experiments.first { $0.id == id } } ?? only
    let dimensions = flow.dimensions.map(\.id) + ["used_skip", "outcome"]
    dimension = forEach.first(where: dimensions.contains)
    guard let cut = named("breakdown") else { return }
    let parts = cut.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      dimension = String(parts[0])
      value = String(parts[1])
    }
  }
}
