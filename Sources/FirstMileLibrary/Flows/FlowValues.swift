public import FlowDefinition

// The parts of a flow with as few words as they need.

extension Step {
  /// A screen of the onboarding.
  ///
  /// - Parameters:
  ///   - id: its `page_name` in events.
  ///   - title: for readers; the id if not given.
  ///   - asks: the permissions that it primes or asks for.
  public init(_ id: String, title: String? = nil, asks: [String] = []) {
    self.init(id: id, title: title, expectedMilliseconds: nil, asks: asks)
  }
}

extension EventPattern: ExpressibleByStringLiteral {
  /// Any event with this name.
  public init(stringLiteral event: String) { self.init(event: event) }

  /// Events with a name and one value of each property.
  ///
  ///     EventPattern("test_started", where: ["test": "baseline"])
  public init(_ event: String, where values: KeyValuePairs<String, String> = [:]) {
    self.init(
      event: event,
      conditions: values.map { PropertyCondition(property: $0.key, values: [$0.value]) })
  }
}

extension Goal {
  /// Something worth reaching after the onboarding began.
  ///
  /// - Parameters:
  ///   - id: names the goal in metrics and reports.
  ///   - title: for readers; the id if not given.
  ///   - event: the events that reach it.
  ///   - within: from the beginning, end included.
  public init(_ id: String, title: String? = nil, event: EventPattern, within: FlowDuration) {
    self.init(id: id, title: title, pattern: event, withinMilliseconds: within.milliseconds)
  }
}

extension RetentionMeasure {
  /// Coming back on day `day` after the beginning, with any event: `retention_d7`.
  public init(day: Int) { self.init(id: "d\(day)", window: .day(day)) }
}

extension Experiment {
  /// An experiment over the flow.
  ///
  /// - Parameters:
  ///   - id: the `experiment` of the events.
  ///   - control: one of the variants.
  ///   - split: the variants in order, with the share of people that each should get; all shares
  ///     add up to 1.
  ///   - isSequential: whether it is looked at every day, with intervals that hold at each look.
  public init(
    _ id: String, control: String, split: KeyValuePairs<String, Double>, isSequential: Bool = false
  ) {
    self.init(
      id: id, variants: split.map { Variant(id: $0.key, share: $0.value) },
      control: split.firstIndex { $0.key == control } ?? -1, isSequential: isSequential)
  }
}

extension CustomFunnel {
  /// A funnel of events, one after the other.
  ///
  ///     CustomFunnel("purchase", within: .days(1), "cart_opened", "paid")
  ///
  /// - Parameters:
  ///   - id: names the funnel in metrics and reports.
  ///   - within: from the first step on, end included.
  ///   - steps: the events, in their order.
  public init(_ id: String, within: FlowDuration, _ steps: EventPattern...) {
    self.init(
      id: id, steps: steps.map { FunnelStep(anyOf: [$0]) }, windowMilliseconds: within.milliseconds)
  }
}
