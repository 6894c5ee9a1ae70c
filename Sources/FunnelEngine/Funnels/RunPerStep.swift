internal import FlowDefinition

/// PostHog's search through a person's facts, by its function for funnels (`steps.rs`; its place
/// and date stand in docs/funnels.md).
///
/// For each step one run is kept, the one that got there last. A run is known by the moment of its
/// entry, and a further entry begins a new one beside it:
///
///     facts                a(0)      a(5)      b(6)
///     the run at step 1    from 0    from 5    from 5
///     the run at step 2                        from 5
///
/// The farthest step of all runs counts, and of the runs that get to it the first. If an exclusion
/// met that run, the person is taken out, unless another gets as far later.
///
/// Facts of one moment that are not all the same are taken by their steps, each fact once in a run,
/// and what they exclude, or stand between in a strict funnel, is passed over.
struct RunPerStep: Sendable {
  private struct Run {
    var start: Int64 = 0
    var isReached = false
    var isExcluded = false
    /// The last of its facts among ``links``; −1 for none.
    var link: Int32 = -1
  }

  /// A fact of a run, and the one before it.
  private struct Link {
    var step: Int
    var place: Int
    var before: Int32
  }

  private let states: FunnelStates
  private let groupsMoments: Bool
  /// By step, counted from 1.
  private let isOptional: [Bool]
  private let window: Int64
  /// By step, counted from 1; the first for what has no step yet.
  private var runs: [Run]
  private var links: [Link] = []
  private var farthest: (step: Int, run: Run) = (0, Run())
  /// The facts of one moment by the steps that each could be; reused.
  private var moment: [(step: Int, place: Int)] = []

  init(_ funnel: CustomFunnel, _ states: FunnelStates, _ rules: FunnelRules) {
    self.states = states
    groupsMoments = rules.ties != .flow
    isOptional = [false] + funnel.steps.map(\.isOptional)
    window = funnel.windowMilliseconds
    runs = Array(repeating: Run(), count: funnel.steps.count + 1)
  }

  /// Looks for the run that counts.
  ///
  /// - Parameters:
  ///   - facts: in order.
  ///   - isEntry: whether a run may begin at this time.
  ///   - reach: is given the steps of the run in ascending order, each with its fact's place.
  /// - Returns: whether there is one.
  mutating func search(
    _ facts: [FunnelFact], where isEntry: (Int64) -> Bool, _ reach: (Int, Int) -> Void
  ) -> Bool {
    for step in runs.indices { runs[step] = Run() }
    links.removeAll(keepingCapacity: true)
    farthest = (0, Run())
    var place = 0
    while place < facts.count, !runs[runs.count - 1].isReached {
      let (first, time) = (place, facts[place].time)
      repeat { place += 1 } while groupsMoments && place < facts.count && facts[place].time == time
      let mayEnter = isEntry(time)
      runs[0] = Run(start: time, isReached: true)
      let kind = facts[first]
      if facts[(first + 1)..<place].allSatisfy({ isAlike($0, kind) }) {
        for place in first..<place { take(facts[place], at: place, mayEnter) }
      } else {
        takeMoment(facts, first..<place, mayEnter)
      }
    }
    guard farthest.step > 0, !farthest.run.isExcluded else { return false }
    var path: [Link] = []
    var link = farthest.run.link
    while link >= 0 {
      path.append(links[Int(link)])
      link = links[Int(link)].before
    }
    for fact in path.reversed() { reach(fact.step - 1, fact.place) }
    return true
  }

  /// Whether two facts are the same steps, and exclude before the same steps.
  private func isAlike(_ one: FunnelFact, _ other: FunnelFact) -> Bool {
    (one.steps ^ other.steps) & states.steps == 0
      && (one.exclusions == other.exclusions
        || (0..<states.last).allSatisfy { state in
          let excluding = states.removing[state] | states.dropping[state]
          return (one.exclusions & excluding == 0) == (other.exclusions & excluding == 0)
        })
  }

  /// Takes a fact as whatever it is, its latest step first.
  private mutating func take(_ fact: FunnelFact, at place: Int, _ mayEnter: Bool) {
    if fact.exclusions != 0 {
      for state in stride(from: states.last - 1, through: 0, by: -1)
      where fact.exclusions & (states.removing[state] | states.dropping[state]) != 0 {
        exclude(before: state + 2, fact.exclusions & states.removing[state] != 0, at: fact.time)
      }
    }
    var steps = fact.steps & states.steps
    while steps != 0 {
      let step = UInt64.bitWidth - steps.leadingZeroBitCount
      steps &= ~(1 << UInt64(step - 1))
      if step > 1 || mayEnter { advance(to: step, fact.time, place, isAmongOthers: false) }
    }
    if states.order == .strict {
      for step in 1..<runs.count where fact.steps & (1 << UInt64(step - 1)) == 0 {
        runs[step] = Run()
      }
    }
  }

  /// Takes facts of one moment by their steps.
  private mutating func takeMoment(
    _ facts: [FunnelFact], _ places: Range<Int>, _ mayEnter: Bool
  ) {
    moment.removeAll(keepingCapacity: true)
    for place in places {
      var steps = facts[place].steps & states.steps
      while steps != 0 {
        moment.append((steps.trailingZeroBitCount + 1, place))
        steps &= steps - 1
      }
    }
    moment.sort { ($0.step, $0.place) < ($1.step, $1.place) }
    for (step, place) in moment where step > 1 || mayEnter {
      advance(to: step, facts[place].time, place, isAmongOthers: true)
    }
  }

  /// The step that comes before one: the nearest with a run whose window is open, no farther back
  /// than past optional ones.
  private func previous(to step: Int, at time: Int64) -> Int? {
    var before = step - 1
    while !isOpen(runs[before], at: time) {
      guard before > 0, isOptional[before] else { return nil }
      before -= 1
    }
    let isThere = runs[step].isReached && runs[step].start == runs[before].start
    return isThere ? nil : before
  }

  private func isOpen(_ run: Run, at time: Int64) -> Bool {
    run.isReached && time <= FunnelStates.sum(run.start, window)
  }

  private mutating func advance(
    to step: Int, _ time: Int64, _ place: Int, isAmongOthers: Bool
  ) {
    guard let before = previous(to: step, at: time) else { return }
    let previous = runs[before]
    if isAmongOthers, uses(place, previous) { return }
    var run = previous
    run.link = Int32(truncatingIfNeeded: links.count)
    links.append(Link(step: step, place: place, before: previous.link))
    if !previous.isExcluded { runs[step] = run }
    if step > farthest.step || step == farthest.step && farthest.run.isExcluded {
      farthest = (step, run)
    }
  }

  /// Whether a run has the fact as a step that is not optional.
  private func uses(_ place: Int, _ run: Run) -> Bool {
    var link = run.link
    while link >= 0 {
      let fact = links[Int(link)]
      if fact.place == place && !isOptional[fact.step] { return true }
      link = fact.before
    }
    return false
  }

  /// Marks the run that would go on to a step, or ends it.
  private mutating func exclude(before step: Int, _ removes: Bool, at time: Int64) {
    guard let before = previous(to: step, at: time), !runs[before].isExcluded else { return }
    if !removes {
      runs[before] = Run()
      return
    }
    runs[before].isExcluded = true
    if farthest.step == before, isOpen(farthest.run, at: time) { farthest.run.isExcluded = true }
  }
}
