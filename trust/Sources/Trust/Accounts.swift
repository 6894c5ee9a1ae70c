import ExperimentStatistics
import Foundation

/// Experiments whose people belong to accounts that were assigned as wholes.
enum Accounts {
  private struct World: Sendable {
    /// Of the treatment and of the control.
    let accounts: (Int, Int)
    /// People of an account, in the mean: one and a geometric number more.
    let people: Double
    /// Of the accounts' levels, on the scale of log-odds.
    let spread: Double

    var name: String {
      "\(accounts.0) and \(accounts.1) accounts of \(Int(people)), spread \(spread)"
    }
  }

  private static let worlds = [
    World(accounts: (20, 20), people: 5, spread: 1),
    World(accounts: (50, 50), people: 5, spread: 1),
    World(accounts: (400, 400), people: 5, spread: 1),
    World(accounts: (400, 400), people: 5, spread: 0),
    World(accounts: (200, 50), people: 3, spread: 1.5),
    World(accounts: (100, 100), people: 40, spread: 0.5),
    World(accounts: (20, 200), people: 10, spread: 1),
  ]

  /// The mean rate of accounts whose levels scatter around a rate's log-odds.
  private static func mean(_ rate: Double, _ spread: Double) -> Double {
    let points = stride(from: -8.0, through: 8, by: 0.01).map { ($0, exp(-$0 * $0 / 2)) }
    let total = points.reduce(0) { $0 + $1.1 }
    return points.reduce(0) { $0 + $1.1 * level(rate, spread * $1.0) } / total
  }

  private static func level(_ rate: Double, _ shift: Double) -> Double {
    1 / (1 + exp(-log(rate / (1 - rate)) - shift))
  }

  private static func group(
    _ accounts: Int, _ world: World, _ rate: Double, _ draws: inout Draws
  ) -> ClusteredProportion {
    var moments = ClusterMoments()
    for _ in 0..<accounts {
      let people = 1 + Int(log(draws.uniform()) / log(1 - 1 / world.people))
      let own = draws.binomial(people, level(rate, world.spread * draws.normal()))
      moments.add(value: Double(own), people: Double(people))
    }
    return ClusteredProportion(moments)
  }

  private static func comparisons(
    _ world: World, treatment: Double, control: Double, _ draws: inout Draws
  ) -> (byAccount: StratifiedComparison, byPerson: StratifiedComparison) {
    let one = group(world.accounts.0, world, treatment, &draws)
    let other = group(world.accounts.1, world, control, &draws)
    return (
      StratifiedComparison(clustered: [(one, other)]),
      StratifiedComparison(treatment: one.proportion, control: other.proportion)
    )
  }

  static let alarms = Section(
    title: "False differences of experiments on accounts",
    method: """
      Accounts have a level of their own (normal on the scale of log-odds, around 40 %), and one \
      person or more each; both variants are alike. At 5 % at most so many experiments may show a \
      difference. "As strangers" is what tests find that take people for independent.
      """,
    otherHeading: "as strangers", settings: worlds
  ) { world in
    let runs = 10_000
    var draws = Draws(seed: UInt64(world.accounts.0 + world.accounts.1))
    var (shown, other) = (0, 0)
    for _ in 0..<runs {
      let found = comparisons(world, treatment: 0.4, control: 0.4, &draws)
      if (found.byAccount.scoreTest().value?.twoSidedP ?? 1) < 0.05 { shown += 1 }
      if (found.byPerson.scoreTest().value?.twoSidedP ?? 1) < 0.05 { other += 1 }
    }
    return Row(
      world.name, .atMost(0.05), runs: runs, count: shown, other: Double(other) / Double(runs))
  }

  static let intervals = Section(
    title: "Intervals of lifts between accounts",
    method: """
      Accounts as above; those of the variant have a level around 50 %. The 95 % interval of the \
      lift must contain that of all accounts.
      """,
    otherHeading: "as strangers", settings: worlds
  ) { world in
    let runs = 4_000
    var draws = Draws(seed: UInt64(world.accounts.0 * 7 + world.accounts.1))
    let truth = mean(0.5, world.spread) / mean(0.4, world.spread) - 1
    var (covered, other) = (0, 0)
    for _ in 0..<runs {
      let found = comparisons(world, treatment: 0.5, control: 0.4, &draws)
      if found.byAccount.relativeLift().value?.interval.contains(truth) ?? true { covered += 1 }
      if found.byPerson.relativeLift().value?.interval.contains(truth) ?? true { other += 1 }
    }
    return Row(
      world.name, .atLeast(0.95), runs: runs, count: covered, other: Double(other) / Double(runs))
  }
}
