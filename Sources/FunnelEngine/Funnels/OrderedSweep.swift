internal import FlowDefinition

/// The best entry into an ordered or strict funnel, in one pass over the facts from the last to the
/// first.
///
/// What a walk meets next depends on its step and its place only, not on its entry. Going
/// backwards, the next turn of every step is known; a fact that is a step keeps the turn that
/// follows it there, and so the walks of all entries are paths in one forest:
///
///     facts    A1   A2   B3   x4   B5   C6
///     A's next turn:  A1 ─► B3,  A2 ─► B3        walks of different entries join,
///     B's next turn:  B3 ─► C6,  B5 ─► C6        and each is followed to its own deadline
///
/// Walking every entry to its end instead takes time quadratic in the facts of one person who
/// repeats the first steps and never gets to the last. This takes facts × steps, in time and
/// memory.
struct OrderedSweep: Sendable {
  /// The next thing that happens to a walk.
  private struct Turn {
    enum Kind: UInt8 {
      /// Nothing more.
      case none
      /// A fact is the next step.
      case advance
      /// An exclusion takes the entry out.
      case remove
      /// An exclusion ends the walk, or another fact does in a strict funnel.
      case end
    }
    var kind = Kind.none
    /// The step that an advance gets to, and where the turn after it is kept.
    var step: UInt8 = 0
    var node: Int32 = 0
    var time = Int64.max
    /// For an end: the time of the first later fact that still takes the entry out.
    var removal = Int64.max
  }

  private let states: FunnelStates
  /// By state, of the facts behind the sweep: what a walk meets next, and the next exclusion that
  /// removes.
  private var next: [Turn]
  private var nextRemoval: [Int64]
  /// The turns that follow facts which are steps.
  private var nodes: [Turn] = []
  /// By step: the node of the fact at hand.
  private var nodeOfStep: [Int32]

  init(_ states: FunnelStates) {
    self.states = states
    next = Array(repeating: Turn(), count: states.last + 1)
    nextRemoval = Array(repeating: .max, count: states.last + 1)
    nodeOfStep = Array(repeating: 0, count: states.last + 1)
  }

  /// The place of the entry that gets farthest; of equals the one with the most steps, then the
  /// first. `nil` where every entry is taken out.
  ///
  /// - Parameter isEntry: whether an entry at this time may be chosen.
  mutating func bestEntry(_ facts: [FunnelFact], where isEntry: (Int64) -> Bool) -> Int? {
    nodes.removeAll(keepingCapacity: true)
    for state in next.indices {
      next[state] = Turn()
      nextRemoval[state] = .max
    }
    var best: (place: Int, length: Int, steps: Int)?
    for place in facts.indices.reversed() {
      let fact = facts[place]
      if fact.steps & 1 != 0, isEntry(fact.time), let found = follow(from: fact.time),
        best.map({ (found.length, found.steps) >= ($0.length, $0.steps) }) ?? true
      {
        best = (place, found.length, found.steps)
      }
      pass(fact)
    }
    return best?.place
  }

  /// The walk of an entry at the fact that the sweep stands before; `nil` where it is taken out.
  private func follow(from entry: Int64) -> (length: Int, steps: Int)? {
    var deadline = states.deadline(from: entry)
    var turn = next[0]
    var (length, steps) = (1, 1)
    while turn.time <= deadline {
      switch turn.kind {
      case .none: return (length, steps)
      case .remove: return nil
      case .end: return turn.removal <= deadline ? nil : (length, steps)
      case .advance:
        length = Int(turn.step) + 1
        steps += 1
        if states.isPerStep { deadline = states.deadline(from: turn.time) }
        turn = nodes[Int(turn.node)]
      }
    }
    return (length, steps)
  }

  /// Moves the sweep before a fact.
  private mutating func pass(_ fact: FunnelFact) {
    let isStrict = states.order == .strict
    if fact.steps | fact.exclusions == 0 && !isStrict { return }
    var steps = fact.steps & states.steps & ~1
    while steps != 0 {
      let step = steps.trailingZeroBitCount
      steps &= steps - 1
      nodeOfStep[step] = Int32(truncatingIfNeeded: nodes.count)
      nodes.append(next[step])
    }
    for state in 0..<states.last {
      let moves = fact.steps & states.following[state]
      let removes = fact.exclusions & states.removing[state] != 0
      if moves != 0 {
        let step = moves.trailingZeroBitCount
        next[state] = Turn(
          kind: .advance, step: UInt8(step), node: nodeOfStep[step], time: fact.time)
      } else if removes {
        next[state] = Turn(kind: .remove, time: fact.time)
      } else if isStrict || fact.exclusions & states.dropping[state] != 0 {
        next[state] = Turn(kind: .end, time: fact.time, removal: nextRemoval[state])
      }
      if removes { nextRemoval[state] = fact.time }
    }
  }
}
