/// What a walk through a funnel writes down. `FunnelMatcher` is specialised for each kind, so that
/// a report that only counts does not pay for times.
public protocol FunnelRecord {
  /// Forgets everything: a walk begins.
  mutating func begin()
  /// A fact is the step with this index. Steps come in ascending order, optional ones may be left
  /// out.
  mutating func reach(_ step: Int, by fact: FunnelFact)
}

/// How far a person got in a funnel.
public struct FunnelReach: FunnelRecord, Sendable, Hashable {
  /// The number of the furthest step, counted from 1; 0 for a person who is not in the funnel.
  public private(set) var furthest = 0

  /// The reach of a person who is not in the funnel.
  public init() {}

  /// Forgets how far the person before got.
  public mutating func begin() { furthest = 0 }

  /// Keeps the number of the step; when it was reached is of no interest here.
  public mutating func reach(_ step: Int, by fact: FunnelFact) { furthest = step + 1 }
}

/// How far a person got in a funnel, and when they reached each step.
public struct FunnelPath: FunnelRecord, Sendable, Hashable {
  /// The index of the entry in the person's timeline.
  public private(set) var entry = 0
  /// By step; `nil` where no fact was that step.
  public private(set) var times: [Int64?]
  /// By step: the index of its fact in the person's timeline; `nil` where no fact was that step.
  public private(set) var indices: [Int?]
  /// The number of the furthest step, counted from 1; 0 for a person who is not in the funnel.
  public private(set) var furthest = 0

  /// - Parameter steps: how many steps the funnel has.
  public init(steps: Int) {
    times = Array(repeating: nil, count: steps)
    indices = Array(repeating: nil, count: steps)
  }

  /// How many steps a fact was found for.
  public var stepCount: Int { times.count { $0 != nil } }

  /// Forgets the steps of the walk before.
  public mutating func begin() {
    furthest = 0
    for step in times.indices {
      times[step] = nil
      indices[step] = nil
    }
  }

  /// Keeps when the step was reached, and by which fact; the first step of a walk is its entry.
  public mutating func reach(_ step: Int, by fact: FunnelFact) {
    if furthest == 0 { entry = fact.index }
    furthest = step + 1
    times[step] = fact.time
    indices[step] = fact.index
  }
}
