import ExperimentStatistics

/// Experiments that are compared within the values of a dimension known at entry.
enum PostStratified {
  private struct World: Sendable {
    let name: String
    /// Of each value its share of people, the control's rate and the treatment's.
    let values: [(share: Double, control: Double, treatment: Double)]
    let people: Int
    /// The share of people who get the treatment.
    let treated: Double
  }

  private static let systems = [(0.55, 0.70, 0.75), (0.35, 0.40, 0.44), (0.10, 0.15, 0.14)]
  /// Forty values, of which most have a few people.
  private static let countries = (1...40).map { number -> (Double, Double, Double) in
    let place = Double(number)
    let control = 0.2 + 0.015 * place
    return (1 / place, control, 1.02 * control + 0.02)
  }

  /// Combinations of a system and one of twelve countries, on whose pair the rate depends.
  private static let combinations = systems.enumerated().flatMap { number, system in
    (1...12).map { country -> (Double, Double, Double) in
      let effect = (country + number) % 3 == 0 ? -0.1 : 0.08
      return (system.0 / Double(country), system.1 + effect, system.2 + effect)
    }
  }

  static let coverage = Section(
    title: "Intervals of lifts that are compared within strata",
    method: """
      People fall on the values of a dimension and on two variants by chance; the 95 % interval of \
      the post-stratified lift must contain the lift over all people. The effect differs between \
      the values, and values with fewer than 20 people in a variant are put together. "Narrower \
      by" is what the interval gains on the one without strata, in the mean.
      """,
    otherHeading: "narrower by",
    settings: [
      World(name: "3 systems", values: systems, people: 400, treated: 0.5),
      World(name: "3 systems", values: systems, people: 4_000, treated: 0.5),
      World(name: "3 systems, 10 % treated", values: systems, people: 4_000, treated: 0.1),
      World(name: "40 countries", values: countries, people: 400, treated: 0.5),
      World(name: "40 countries", values: countries, people: 4_000, treated: 0.5),
      World(
        name: "3 values of one rate", values: [(0.5, 0.5, 0.5), (0.3, 0.5, 0.5), (0.2, 0.5, 0.5)],
        people: 400, treated: 0.5),
      World(name: "3 systems by 12 countries", values: combinations, people: 400, treated: 0.5),
      World(name: "3 systems by 12 countries", values: combinations, people: 4_000, treated: 0.5),
    ]
  ) { row($0) }

  private static func row(_ world: World) -> Row {
    let runs = 10_000
    var draws = Draws(seed: UInt64(world.people + world.values.count))
    let total = world.values.reduce(0) { $0 + $1.share }
    func mean(_ rate: ((share: Double, control: Double, treatment: Double)) -> Double) -> Double {
      world.values.reduce(0) { $0 + $1.share / total * rate($1) }
    }
    let truth = mean(\.treatment) / mean(\.control) - 1
    var (covered, gain, compared) = (0, 0.0, 0)
    for _ in 0..<runs {
      var (left, rest) = (world.people, total)
      let strata = world.values.map { value -> ProportionComparison in
        let people = draws.binomial(left, min(1, value.share / rest))
        left -= people
        rest -= value.share
        let own = draws.binomial(people, world.treated)
        return ProportionComparison(
          treatment: Proportion(successes: draws.binomial(own, value.treatment), trials: own),
          control: Proportion(
            successes: draws.binomial(people - own, value.control), trials: people - own))
      }
      let plain = ProportionComparison(
        treatment: .sum(strata.map(\.treatment)), control: .sum(strata.map(\.control)))
      let stratified = StratifiedComparison(postStratified: [PostStrata(strata)])
      guard let found = stratified.relativeLift().value?.interval,
        let other = plain.relativeLift().value?.interval
      else {
        covered += 1
        continue
      }
      if found.contains(truth) { covered += 1 }
      gain += 1 - (found.upper - found.lower) / (other.upper - other.lower)
      compared += 1
    }
    return Row(
      "\(world.name), \(world.people) people", .atLeast(0.95), runs: runs, count: covered,
      other: gain / Double(compared))
  }
}
