internal import FlowDefinition

/// Walks through an ordered or strict funnel where facts that are close together may stand in
/// either order, or where one fact may be several steps.
///
/// The next step is the first fact, in order, that comes no earlier than the step before less the
/// tolerance. What stands in between ends or removes a walk only if it lies more than the tolerance
/// behind the one step and before the other:
///
///     ──── step ────────────┤▒▒▒▒▒▒▒▒▒▒▒▒▒├──────────── next step ───►  time
///           ◄── tolerance ──►  exclusions   ◄── tolerance ──►
///
/// For each state of a walk and each place, the next fact of interest is known from one pass, so a
/// walk takes a few look-ups a step, from however many entries.
struct TolerantWalk: Sendable {
  private let states: FunnelStates
  private let tolerance: Int64?
  private let sharesFacts: Bool
  private var facts: [FunnelFact] = []
  /// By place: the first place whose fact may come after the fact there, and the first from which
  /// on facts lie behind it by more than the tolerance.
  private var earliest: [Int32] = []
  private var behind: [Int32] = []
  /// By state and place: the first place from there on with a next step; with an exclusion that
  /// removes; with what ends a walk. The number of facts where there is none.
  private var nextStep: [Int32] = []
  private var nextRemoval: [Int32] = []
  private var nextEnd: [Int32] = []
  /// By place: the number of the last walk that took its fact.
  private var taken: [Int32] = []
  private var walkNumber: Int32 = 0
  /// The places of the walk at hand, with the step that each is.
  private(set) var path: [(step: Int, place: Int)] = []

  init(_ states: FunnelStates, _ rules: FunnelRules) {
    self.states = states
    tolerance = rules.tolerance
    sharesFacts = rules.sharesFacts
  }

  /// Prepares walks over a person's facts, which are in order.
  mutating func begin(_ facts: [FunnelFact]) {
    self.facts = facts
    let count = facts.count
    walkNumber = 0
    taken = Array(repeating: 0, count: count)
    findNeighbours()
    let size = states.last * (count + 1)
    let none = Int32(truncatingIfNeeded: count)
    nextStep = Array(repeating: none, count: size)
    nextRemoval = nextStep
    nextEnd = nextStep
    for state in 0..<states.last {
      let base = state * (count + 1)
      let isStrict = states.order == .strict
      for place in facts.indices.reversed() {
        let here = Int32(truncatingIfNeeded: place)
        let (steps, exclusions) = (facts[place].steps, facts[place].exclusions)
        let at = base + place
        nextStep[at] = steps & states.following[state] != 0 ? here : nextStep[at + 1]
        nextRemoval[at] = exclusions & states.removing[state] != 0 ? here : nextRemoval[at + 1]
        nextEnd[at] =
          isStrict || exclusions & states.dropping[state] != 0 ? here : nextEnd[at + 1]
      }
    }
  }

  private mutating func findNeighbours() {
    let count = facts.count
    earliest = Array(repeating: 0, count: count)
    behind = Array(repeating: 0, count: count)
    guard let tolerance else {
      for place in facts.indices {
        earliest[place] = Int32(truncatingIfNeeded: sharesFacts ? place : place + 1)
        behind[place] = Int32(truncatingIfNeeded: place + 1)
      }
      return
    }
    var (first, last) = (0, 0)
    for place in facts.indices {
      let time = facts[place].time
      while FunnelStates.sum(facts[first].time, tolerance) < time { first += 1 }
      while last < count, facts[last].time <= FunnelStates.sum(time, tolerance) { last += 1 }
      earliest[place] = Int32(truncatingIfNeeded: first)
      behind[place] = Int32(truncatingIfNeeded: last)
    }
  }

  /// The place of the entry that gets farthest; of equals the one with the most steps, then the
  /// first. `nil` where every entry is taken out.
  ///
  /// - Parameter isEntry: whether an entry at this time may be chosen.
  mutating func bestEntry(where isEntry: (Int64) -> Bool) -> Int? {
    var best: (place: Int, state: Int, steps: Int)?
    for place in facts.indices where facts[place].steps & 1 != 0 && isEntry(facts[place].time) {
      guard let state = walk(from: place) else { continue }
      if best.map({ (state, path.count) > ($0.state, $0.steps) }) ?? true {
        best = (place, state, path.count)
      }
      if state == states.last && path.count == states.last + 1 { break }
    }
    return best?.place
  }

  /// Walks from an entry, and leaves the walk in ``path``.
  ///
  /// - Returns: the last state; `nil` where an exclusion takes the entry out.
  mutating func walk(from entry: Int) -> Int? {
    walkNumber += 1
    path.removeAll(keepingCapacity: true)
    path.append((0, entry))
    taken[entry] = walkNumber
    var (state, place) = (0, entry)
    var deadline = states.deadline(from: facts[entry].time)
    while state < states.last {
      let next = nextPlace(state, after: place, deadline)
      let removal = obstacle(nextRemoval, state, behind: place, deadline)
      let end = obstacle(nextEnd, state, behind: place, deadline)
      let ends = next.map { stands(end, before: $0) } ?? true
      // Where the walk is over, what removes still does until the window ends.
      if ends ? removal < facts.count : next.map({ stands(removal, before: $0) }) ?? false {
        return nil
      }
      guard !ends, let next else { break }
      let steps = facts[next].steps & states.following[state]
      (state, place) = (steps.trailingZeroBitCount, next)
      path.append((state, next))
      taken[next] = walkNumber
      if states.isPerStep { deadline = states.deadline(from: facts[next].time) }
    }
    return state
  }

  private func nextPlace(_ state: Int, after place: Int, _ deadline: Int64) -> Int? {
    let base = state * (facts.count + 1)
    var next = Int(nextStep[base + Int(earliest[place])])
    while next < facts.count, !sharesFacts, taken[next] == walkNumber {
      next = Int(nextStep[base + next + 1])
    }
    return next < facts.count && facts[next].time <= deadline ? next : nil
  }

  /// The first fact of a kind behind a step that is no step of the walk itself; the number of facts
  /// where there is none before the deadline.
  private func obstacle(
    _ places: [Int32], _ state: Int, behind place: Int, _ deadline: Int64
  ) -> Int {
    let base = state * (facts.count + 1)
    var found = Int(places[base + Int(behind[place])])
    while found < facts.count, taken[found] == walkNumber {
      found = Int(places[base + found + 1])
    }
    return found < facts.count && facts[found].time <= deadline ? found : facts.count
  }

  /// Whether a fact lies before the next step by more than the tolerance.
  private func stands(_ place: Int, before next: Int) -> Bool {
    guard place < facts.count, let tolerance else { return place < next }
    return FunnelStates.sum(facts[place].time, tolerance) < facts[next].time
  }
}
