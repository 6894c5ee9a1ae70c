public import FlowDefinition

/// What a tool chooses where the definition of a funnel leaves room.
///
/// Each rule means something whatever the others say, so that `reconcile` can change them in any
/// order.
public struct FunnelRules: Sendable, Hashable {
  /// Which of a person's entries counts.
  public enum Entry: String, Sendable, Hashable {
    /// As the funnel says.
    case own
    case first, best
  }
  /// When a fact comes after the step before it.
  public enum Ties: Sendable, Hashable {
    /// Facts of one millisecond stand in the flow's order.
    case flow
    /// Steps may be taken in either order where their facts are at most so many milliseconds apart;
    /// with 0, at one millisecond.
    case interchangeable(within: Int64)
  }
  /// What an exclusion does.
  public enum Exclusions: String, Sendable, Hashable {
    /// As the exclusion says.
    case own
    case remove, drop
    /// Nothing: the tool has none.
    case ignored
  }
  /// Modes of `windowFunnel`; without any, it is a set of the other rules.
  public struct Modes: OptionSet, Sendable, Hashable {
    /// One bit for each mode.
    public let rawValue: Int
    /// The modes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Ends where another event, or a step out of turn, comes between two steps.
    public static let strictOrder = Modes(rawValue: 1)
    /// Wants each step later than the one before; else both may be of one millisecond.
    public static let strictIncrease = Modes(rawValue: 2)
    /// Ends where a step that was reached comes again.
    public static let strictDeduplication = Modes(rawValue: 4)
    /// Takes an event for one step of a chain at most, also where it matches several.
    public static let strictOnce = Modes(rawValue: 8)
    /// Only together with ``strictOrder``.
    public static let allowReentry = Modes(rawValue: 16)
  }

  /// Which of a person's entries the walk begins with.
  public var entry = Entry.own
  /// Which order facts of one moment, or of nearly one, stand in.
  public var ties = Ties.flow
  /// One fact may be several steps of a walk. A funnel of any order takes no notice.
  public var sharesFacts = false
  /// What an event that the funnel excludes does to a walk.
  public var exclusions = Exclusions.own
  /// All steps are required, in their order, in one window, whatever the funnel says.
  public var isPlainSequence = false
  /// The modes of `windowFunnel`; where any is set, walks are those of ClickHouse.
  public var modes: Modes = []
  /// A further entry begins a run of its own, beside the one before it, and for each step the run
  /// that got there last goes on; else each entry is followed by itself. Funnels of any order and
  /// those with a window for each step take no notice.
  public var keepsRunPerStep = false
  /// Only entries whose window ends by the horizon; else the latest entries pull the rate down.
  public var onlyMature = true
  /// Only the persons that the flow's metrics are about; else everybody with an entry.
  public var onlyFlowPersons = true

  /// FirstMile's own rules (definitions 13).
  public init() {}

  /// How far apart two facts may be and still stand in either order; `nil` in the flow's order.
  var tolerance: Int64? {
    switch ties {
    case .flow: nil
    case .interchangeable(let milliseconds): max(0, milliseconds)
    }
  }
}

extension FunnelRules {
  /// The funnel as these rules read it.
  public func reading(_ funnel: CustomFunnel) -> CustomFunnel {
    var read = funnel
    if isPlainSequence {
      read.order = .ordered
      read.windowScope = .whole
      for step in read.steps.indices { read.steps[step].isOptional = false }
    }
    switch entry {
    case .own: break
    case .first: read.entry = .first
    case .best: read.entry = .best
    }
    switch exclusions {
    case .own: break
    case .remove: for index in read.exclusions.indices { read.exclusions[index].effect = .remove }
    case .drop: for index in read.exclusions.indices { read.exclusions[index].effect = .drop }
    // An exclusion that holds nowhere; its index stays what it was.
    case .ignored: for index in read.exclusions.indices { read.exclusions[index].to = 0 }
    }
    return read
  }

  /// These rules for the people of a flow.
  ///
  /// A flow without steps is a plain funnel: nobody goes through an onboarding, so that everyone
  /// with the funnel's first step is counted, whatever the rules say.
  func ofPeople(in flow: Flow) -> FunnelRules {
    guard flow.steps.isEmpty && flow.entry == nil else { return self }
    var everyone = self
    everyone.onlyFlowPersons = false
    return everyone
  }

  /// When entries count, where the period does not choose the persons; `nil` for always.
  func entryTimes(_ options: EvaluationOptions) -> Range<Int64>? {
    let from = options.fromMilliseconds ?? Int64.min
    let to = options.toMilliseconds ?? Int64.max
    if onlyFlowPersons || from == .min && to == .max { return nil }
    return from..<max(from, to)
  }
}
