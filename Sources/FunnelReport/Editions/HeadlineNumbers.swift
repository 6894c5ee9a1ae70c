internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

/// The numbers of a flow that two editions of the definitions are compared by.
struct HeadlineNumbers {
  /// What a number is.
  struct Name: Hashable {
    var metric: MetricName
    var step = "all"
    var slice = Slice.all
    package var words: String
    var isRate: Bool
  }

  let names: [Name]
  /// Counts of people, and rates as shares; `nil` over nobody.
  let values: [Double?]
  let entered: Int

  init(_ tally: Tally, _ flow: Flow) {
    let table = SliceTable(tally, flow)
    let layout = table.layout
    var names: [Name] = []
    var values: [Double?] = []
    func add(_ name: Name, _ value: Double?) {
      names.append(name)
      values.append(value)
    }
    func add(
      count: Int, _ metric: MetricName, _ words: String, step: String = "all", _ slice: Slice
    ) {
      let name = Name(metric: metric, step: step, slice: slice, words: words, isRate: false)
      add(name, Double(count))
    }
    func add(_ rate: RateDefinition, _ prefix: String, _ slice: Slice) {
      let denominator = table.count(slice, rate.denominator)
      let numerator = rate.numerators.reduce(0) { $0 + table.count(slice, $1) }
      let words = prefix + MetricWords.of(rate.metric, step: rate.step, flow)
      add(
        Name(metric: rate.metric, step: rate.step, slice: slice, words: words, isRate: true),
        denominator == 0 ? nil : Double(numerator) / Double(denominator))
    }
    let rates = RateDefinition.all(flow, layout)
    entered = table.count(.all, layout[.entered])
    add(count: entered, .entered, "people who entered", .all)
    add(count: tally.quality.existingUsers, .existingUsers, "existing users", .all)
    for rate in rates where Self.isShown(rate, flow) { add(rate, "", .all) }
    for (index, experiment) in flow.experiments.enumerated() {
      let mixed = tally.cells.reduce(0) { sum, cell in
        let isMixed = !cell.key.group.variants[index].mixedVariants.isEmpty
        return sum + (cell.key.breakdown == .all && isMixed ? cell.value[layout[.entered]] : 0)
      }
      let all = Slice(experiment: experiment.id)
      add(count: mixed, .contaminated, "\(experiment.id): people with several variants", all)
      let none = Slice(experiment: experiment.id, variant: VariantState.unassigned.label)
      let unassigned = table.count(none, layout[.entered])
      add(count: unassigned, .unassigned, "\(experiment.id): people without a variant", none)
      for variant in experiment.variants {
        let slice = Slice(experiment: experiment.id, variant: variant.id)
        let prefix = "\(experiment.id) \(variant.id): "
        add(
          count: table.count(slice, layout[.entered]), .entered, prefix + "people who entered",
          slice)
        for rate in rates where rate.metric == .completionRate { add(rate, prefix, slice) }
      }
    }
    for dimension in flow.dimensions {
      let slice = Slice(breakdown: BreakdownKey(dimension: dimension.id, value: "(none)"))
      add(
        count: table.count(slice, layout[.entered]), .entered,
        "people without a \(dimension.id)", slice)
    }
    (self.names, self.values) = (names, values)
  }

  private static func isShown(_ rate: RateDefinition, _ flow: Flow) -> Bool {
    switch rate.metric {
    case .completionRate, .skipRate, .usedSkipRate, .abandonRate, .permissionOptIn,
      .goalRate:
      true
    default: flow.retention.contains { rate.metric == .retention($0) }
    }
  }
}
