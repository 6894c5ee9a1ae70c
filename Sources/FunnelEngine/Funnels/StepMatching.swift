/// The steps that different facts can stand for: a maximum bipartite matching of steps to facts,
/// one fact at a time, which prefers early facts.
///
/// The sets of facts that can stand for different steps at once are the independent sets of a
/// matroid (transversal). So where a fact finds no step of its own, exactly one circuit of facts
/// compete for the steps between them, any one of them can be left out, and leaving out the latest
/// one keeps the basis that is first in order. Facts may come in any order.
struct StepMatching: Sendable {
  /// How many steps are taken.
  private(set) var count = 0
  /// By step: the place of the fact that stands for it, −1 for none, and the steps which that fact
  /// could be.
  private var places: [Int]
  private var masks: [UInt64]
  /// By step met in a search: the step whose fact could move here; −1 where the new fact could.
  private var sources: [Int]

  init(steps: Int) {
    places = Array(repeating: -1, count: steps)
    masks = Array(repeating: 0, count: steps)
    sources = Array(repeating: -1, count: steps)
  }

  /// The place of the fact that stands for a step.
  func place(of step: Int) -> Int? { places[step] < 0 ? nil : places[step] }

  mutating func removeAll() {
    count = 0
    for step in places.indices { places[step] = -1 }
  }

  /// Takes a fact in.
  ///
  /// - Parameter mask: the steps that the fact can be, one bit each.
  /// - Returns: the place of the fact that is left out for it, which may be its own; `nil` where
  ///   one step more is taken.
  /// - Complexity: O(number of steps).
  mutating func add(_ mask: UInt64, at place: Int) -> Int? {
    // Steps that the fact, or a chain of facts that move up for it, gets to; of these the open ones
    // have not been looked at.
    var met = mask
    var open = mask
    note(mask, from: -1)
    var latest = (place: place, step: -1)
    while open != 0 {
      let step = open.trailingZeroBitCount
      open &= open - 1
      if places[step] < 0 {
        move(mask, place, to: step)
        count += 1
        return nil
      }
      if places[step] > latest.place { latest = (places[step], step) }
      let fresh = masks[step] & ~met
      met |= fresh
      open |= fresh
      note(fresh, from: step)
    }
    if latest.step >= 0 { move(mask, place, to: latest.step) }
    return latest.place
  }

  private mutating func note(_ steps: UInt64, from source: Int) {
    var rest = steps
    while rest != 0 {
      sources[rest.trailingZeroBitCount] = source
      rest &= rest - 1
    }
  }

  /// Moves the facts of a chain up by one, to its end, and puts the new fact at its beginning.
  private mutating func move(_ mask: UInt64, _ place: Int, to end: Int) {
    var step = end
    while sources[step] >= 0 {
      places[step] = places[sources[step]]
      masks[step] = masks[sources[step]]
      step = sources[step]
    }
    places[step] = place
    masks[step] = mask
  }
}
