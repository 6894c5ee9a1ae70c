public import FlowDefinition

/// One part of a flow that is built in code; ``FlowPartsBuilder`` makes them from plain values.
public enum FlowPart: Sendable, Hashable {
  /// A step of the flow's own list.
  case step(Step)
  /// An experiment.
  case experiment(Experiment)
  /// Something that people are to reach.
  case goal(Goal)
  /// Something that gets in people's way.
  case friction(Friction)
  /// A measure of who comes back.
  case retention(RetentionMeasure)
  /// A property that numbers are cut by.
  case dimension(Dimension)
  /// A funnel of any events.
  case funnel(CustomFunnel)
  /// What one of the numbers is to be.
  case target(Target)
}

/// Collects steps, goals, experiments and the rest of a flow in their order.
@resultBuilder
public enum FlowPartsBuilder {
  /// Takes a step of the flow's own list.
  public static func buildExpression(_ step: Step) -> [FlowPart] { [.step(step)] }
  /// Takes an experiment.
  public static func buildExpression(_ experiment: Experiment) -> [FlowPart] {
    [.experiment(experiment)]
  }
  /// Takes a goal.
  public static func buildExpression(_ goal: Goal) -> [FlowPart] { [.goal(goal)] }
  /// Takes a friction: an event that stands in people's way.
  public static func buildExpression(_ friction: Friction) -> [FlowPart] { [.friction(friction)] }
  /// Takes a measure of retention.
  public static func buildExpression(_ measure: RetentionMeasure) -> [FlowPart] {
    [.retention(measure)]
  }
  /// Takes a dimension that numbers are cut by.
  public static func buildExpression(_ dimension: Dimension) -> [FlowPart] {
    [.dimension(dimension)]
  }
  /// Takes a funnel of any events.
  public static func buildExpression(_ funnel: CustomFunnel) -> [FlowPart] { [.funnel(funnel)] }
  /// Takes a target for one of the numbers.
  public static func buildExpression(_ target: Target) -> [FlowPart] { [.target(target)] }
  /// Takes parts that were put together elsewhere.
  public static func buildExpression(_ parts: [FlowPart]) -> [FlowPart] { parts }

  /// Joins the parts of a block in their order.
  public static func buildBlock(_ parts: [FlowPart]...) -> [FlowPart] { parts.flatMap { $0 } }
  /// The parts of an `if` without `else`; none where it does not hold.
  public static func buildOptional(_ parts: [FlowPart]?) -> [FlowPart] { parts ?? [] }
  /// The parts of an `if` that holds.
  public static func buildEither(first parts: [FlowPart]) -> [FlowPart] { parts }
  /// The parts of an `else`.
  public static func buildEither(second parts: [FlowPart]) -> [FlowPart] { parts }
  /// Joins the parts of a loop in its order.
  public static func buildArray(_ parts: [[FlowPart]]) -> [FlowPart] { parts.flatMap { $0 } }
}

extension Flow {
  /// A flow built in code.
  ///
  ///     let flow = Flow("signup", window: .days(1)) {
  ///       Step("welcome")
  ///       Step("account")
  ///       Goal("paid", event: "paid", within: .days(7))
  ///       Experiment("copy", control: "A", split: ["A": 0.5, "B": 0.5])
  ///     }
  ///
  /// All that a flow file can say is a property of `Flow`: set what the parts don't cover. A flow
  /// without steps is a plain funnel, or several: it counts everyone with a funnel's first step.
  /// Mistakes, such as two steps with one id, are found by ``FunnelAnalysis``.
  ///
  /// - Parameters:
  ///   - id: the `flow` of the events.
  ///   - title: for readers; the id if not given.
  ///   - window: how long an attempt may last.
  ///   - parts: steps, goals, experiments and the others, in the order of the flow.
  public init(
    _ id: String, title: String? = nil, window: FlowDuration = .days(1),
    @FlowPartsBuilder parts: () -> [FlowPart]
  ) {
    let parts = parts()
    self.init(
      id: id,
      steps: parts.compactMap { part in if case .step(let step) = part { step } else { nil } })
    if let title { self.title = title }
    windowMilliseconds = window.milliseconds
    for part in parts { add(part) }
    // As a flow file's: what a step asks for is reported on.
    for permission in steps.flatMap(\.asks) where !permissions.contains(permission) {
      permissions.append(permission)
    }
  }

  private mutating func add(_ part: FlowPart) {
    switch part {
    case .step: break
    case .experiment(let experiment): experiments.append(experiment)
    case .goal(let goal): goals.append(goal)
    case .friction(let friction): self.friction.append(friction)
    case .retention(let measure): retention.append(measure)
    case .dimension(let dimension): dimensions.append(dimension)
    case .funnel(let funnel): funnels.append(funnel)
    case .target(let target): targets.append(target)
    }
  }
}
