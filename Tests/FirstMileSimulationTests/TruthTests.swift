import FlowDefinition
import Foundation
import FirstMileSimulation
import Testing

private let apps = ["memoss", "unforgotten", "aiq", "trendy", "dequeue"]

@Suite struct TruthTests {
  private struct Slice: Hashable {
    var names: [String]
  }

  private func slices(_ truth: SimulationTruth) -> [Slice: [MetricTruth]] {
    Dictionary(grouping: truth.metrics) {
      Slice(names: [$0.version, $0.experiment, $0.variant, $0.breakdown])
    }.filter { $0.value.contains { $0.metric == .completionRate } }
  }

  @Test(arguments: apps)
  func `the identities of the specification hold in every slice`(app: String) throws {
    let plan = try SimulatedDump.plan(app, persons: 1_000)
    let truth = try SimulatedDump(plan).truth
    for (_, rows) in slices(truth) {
      func count(_ metric: MetricName, _ step: String = "") -> Int {
        rows.first { $0.metric == metric && $0.step == step }?.numerator ?? 0
      }
      let persons = count(.persons)
      let finished = count(.finished) + count(.finishedAfterSkipping)
      #expect(persons == finished + count(.skipped) + count(.abandoned))
      #expect(count(.completionRate) == finished)
      let left = rows.filter { $0.metric == .stepDropOff }.map(\.numerator).reduce(0, +)
      #expect(count(.skipped) + count(.abandoned) == left)
      for step in plan.flow.steps {
        let viewed = count(.stepReach, step.id)
        let sum = count(.stepConversion, step.id) + count(.stepLeftSkipping, step.id)
        #expect(viewed == sum + count(.stepAbandoned, step.id))
      }
      #expect(rows.contains { $0.metric == .stepAbandonedAfterDenial && $0.step == "(entry)" })
      func sum(_ metric: MetricName) -> Int {
        rows.filter { $0.metric == metric }.map(\.numerator).reduce(0, +)
      }
      // A denial may be of a permission that was granted before, whose class is not "denied".
      #expect(sum(.stepAbandonedAfterDenial) >= sum(.permissionLeftAfterDenial))
      for permission in plan.flow.permissions {
        let classes = rows.filter {
          $0.metric.rawValue.hasPrefix("permission_class_") && $0.step == permission
        }
        #expect(classes.map(\.numerator).reduce(0, +) == persons)
      }
      let skips = rows.filter { $0.metric == .skipShare }.map(\.numerator).reduce(0, +)
      #expect(skips == count(.usedSkipRate))
      for row in rows { #expect(row.numerator <= row.denominator ?? .max) }
    }
  }

  @Test(arguments: apps)
  func `variants, contaminated and unassigned persons add up to all`(app: String) throws {
    let plan = try SimulatedDump.plan(app, persons: 1_500)
    let truth = try SimulatedDump(plan).truth
    // Both are counted of all who entered, as the engine does.
    let all = truth.metrics.first {
      $0.metric == .entered && $0.experiment == "all"
        && $0.version == "all" && $0.breakdown == "all"
    }
    for experiment in plan.flow.experiments {
      let rows = truth.metrics.filter { $0.experiment == experiment.id }
      let parts = rows.filter { $0.metric == .entered }.map(\.numerator)
      let others = rows.filter {
        $0.variant == "all" && [.contaminated, .unassigned].contains($0.metric)
      }.map(\.numerator)
      #expect(parts.count == experiment.variants.count && others.count == 2)
      #expect(others.allSatisfy { $0 > 0 })
      // The contaminated are in the slice of their first variant, unless they are left out.
      let unassigned = rows.filter { $0.variant == "all" && $0.metric == .unassigned }
      let outside = experiment.contaminated == .first ? unassigned.map(\.numerator) : others
      #expect((parts + outside).reduce(0, +) == all?.numerator)
    }
  }

  /// Each kind of decision over all arms within its 99.99 % interval (z = 3.8906), and each single
  /// probability, of which there are thousands, within five standard errors.
  @Test(arguments: apps)
  func `each probability lies within the interval of what came of it`(app: String) throws {
    let truth = try SimulatedDump(SimulatedDump.plan(app, persons: 5_000, seed: 11)).truth
    #expect(truth.chances.count > 100)
    let kinds = Dictionary(grouping: truth.chances) { [$0.chance, $0.of, $0.given] }
    for (kind, chances) in kinds {
      #expect(distance(chances) <= 3.8906, "\(kind)")
      for chance in chances { #expect(distance([chance]) <= 5, "\(chance)") }
    }
  }

  /// Days and incidents change the odds of leaving and of coming back, and of nothing else.
  @Test(arguments: apps)
  func `only what days change is drawn with other odds than the book's`(app: String) throws {
    let truth = try SimulatedDump(SimulatedDump.plan(app, persons: 2_000, seed: 11)).truth
    var changed: Set<String> = []
    for chance in truth.chances {
      let plain = Double(chance.trials) * chance.probability
      let isPlain = abs(chance.expectedHits - plain) < 1e-6 * Double(chance.trials + 1)
      if !isPlain { changed.insert(chance.chance) }
    }
    #expect(changed == ["leave", "return"])
  }

  /// A person who comes back is likely to come back again: if each day were drawn by itself, as
  /// many as 1 − (1 − day 7)^24 would be back on one of the days 7 to 30.
  @Test(arguments: apps)
  func `coming back is a person's own`(app: String) throws {
    let truth = try SimulatedDump(SimulatedDump.plan(app, persons: 4_000, seed: 19)).truth
    func rate(_ metric: MetricName) -> Double {
      let row = truth.metrics.first { $0.metric == metric && $0.breakdown == "all" }
      return Double(row?.numerator ?? 0) / Double(max(1, row?.denominator ?? 1))
    }
    let ratio = rate(.retention("on_or_after_d7")) / rate(.retention(day: 7))
    #expect(ratio > 1.5 && ratio < 3, "\(ratio)")
    #expect(rate(.retention(day: 1)) > 2 * rate(.retention(day: 7)))
    #expect(rate(.retention(day: 7)) > 1.2 * rate(.retention(day: 30)))
  }

  /// How many standard errors lie between what was expected and what came true; 0 where the normal
  /// approximation would not hold.
  private func distance(_ chances: [ChanceTruth]) -> Double {
    let expected = chances.map(\.expectedHits).reduce(0, +)
    let trials = Double(chances.map(\.trials).reduce(0, +))
    let variance = chances.map(\.variance).reduce(0, +)
    guard min(expected, trials - expected) >= 20 else { return 0 }
    let hits = Double(chances.map(\.hits).reduce(0, +))
    return abs(hits - expected) / variance.squareRoot()
  }

  @Test(arguments: apps)
  func `every kind of person and of answer occurs`(app: String) throws {
    let plan = try SimulatedDump.plan(app, persons: 3_000, seed: 3)
    let truth = try SimulatedDump(plan).truth
    let all = truth.metrics.filter {
      $0.version == "all" && $0.variant == "all" && $0.breakdown == "all"
    }
    let never = all.filter { row in
      row.numerator == 0
        && ![
          .stepBypassed, .stepLeftSkipping, .skipShare, .skipped, .finishedAfterSkipping,
          .stepConversion, .stepDeclined, .stepWentBack, .stepAbandonedAfterDenial,
          .stepReach, .branchTaken,
        ].contains(row.metric)
    }
    let found = Set(never.map { $0.step.isEmpty ? $0.metric.rawValue : "\($0.metric) \($0.step)" })
    #expect(found == impossible(app))
  }

  /// What an app's screens have no way to: nobody skips the rest where no page has a button for it,
  /// iOS restricts no notifications, and not every screen has a "Not now".
  private func impossible(_ app: String) -> Set<String> {
    let restricted = "permission_class_restricted notifications"
    return switch app {
    case "memoss": [restricted, "permission_class_not_now notifications"]
    case "unforgotten", "trendy": [restricted, "skip_rate", "used_skip_rate"]
    default: []
    }
  }

  @Test func `what the flow changes for the better is better in truth`() throws {
    let plan = try SimulatedDump.plan("dequeue", persons: 5_000, seed: 5)
    let truth = try SimulatedDump(plan).truth
    func rate(_ metric: MetricName, _ variant: String) -> Double {
      let row = truth.metrics.first { $0.metric == metric && $0.variant == variant }
      return Double(row?.numerator ?? 0) / Double(max(1, row?.denominator ?? 1))
    }
    #expect(rate(.completionRate, "three_screen") > rate(.completionRate, "long") + 0.03)
    #expect(rate(.retention(day: 7), "three_screen") > rate(.retention(day: 7), "long") * 1.05)
  }
}
