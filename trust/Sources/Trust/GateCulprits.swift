import ExperimentStatistics

/// What `check --when` names as having broken: values of a dimension and releases, of one family,
/// as `DropExplanation` has them, from the likeliest day on against the days before it.
enum GateCulprits {
  /// What breaks on the fifteenth of 28 days.
  enum Fault: String, Sendable {
    case everything = "all people lose 5 points"
    case everythingAtRelease = "all people lose 5 points, a release comes that day"
    case value = "the people of one of four systems lose 15 points"
    case release = "the people of a new release lose 12 points"
  }

  private struct Setting: Sendable {
    var fault: Fault
    /// How days vary, on the scale of log odds.
    var deviation = 0.1
    var promise = 0.05
  }

  private static let shares = [0.45, 0.3, 0.2, 0.05]
  private static let rates = [0.7, 0.6, 0.5, 0.4]
  private static let faultDay = 14
  private static let days = 28

  /// People of both releases, by system, of one day.
  private typealias Counts = [[Proportion]]

  static let named = Section(
    title: "Culprits that are named and are not",
    method: """
      A rate drops on the fifteenth of 28 days after a baseline of four weeks, 2,000 people a day. \
      People come with four systems whose rates differ; a release may come that a twentieth more \
      of them have each day. From the likeliest day on, what departs from the days before it is \
      named (one family, Holm, 5 %). Found is how often anything else is named than what broke; \
      "right one" is how often that is. A release has more of its people on later days than the \
      others have, so that days which vary make its people differ from theirs: a release that \
      comes on the very day of another fault is named too often, and the promise is 10 %.
      """,
    otherHeading: "right one",
    settings: [
      Setting(fault: .everything), Setting(fault: .everythingAtRelease, deviation: 0),
      Setting(fault: .everythingAtRelease, promise: 0.1), Setting(fault: .value),
      Setting(fault: .release),
    ]
  ) { row($0) }

  private static func row(_ setting: Setting) -> Row {
    let fault = setting.fault
    var draws = Draws(seed: UInt64(fault.rawValue.count) + UInt64(900 * setting.deviation))
    let runs = 1_500
    var (asked, wrong, right) = (0, 0, 0)
    for run in 0..<runs {
      let reference = (0..<28).map { _ in day(nil, setting, &draws) }
      let current = (0..<days).map { day($0, setting, &draws) }
      let first = 28 + run % 7
      let before = reference.enumerated().map { counted($1, first - 28 + $0) }
      let after = current.enumerated().map { counted($1, first + $0) }
      let test = DailyDrop(current: Array(after.suffix(7)), reference: before, margin: 0)
      guard let p = test?.p, p < 0.05,
        let found = ChangePoint(days: after, reference: before, level: 0.95)
      else { continue }
      asked += 1
      let start = found.day - first
      // Where nothing came before the likeliest day, the baseline is what it is held against.
      let earlier = sum(start > 0 ? Array(current[..<start]) : reference)
      let names = culprits(earlier, sum(Array(current[start...])))
      let culprit = fault == .value ? "system 1" : fault == .release ? "release 1" : nil
      if names.contains(where: { $0 != culprit }) { wrong += 1 }
      if let culprit, names.contains(culprit) { right += 1 }
    }
    let hasCulprit = fault == .value || fault == .release
    return Row(
      "sd \(setting.deviation), \(fault.rawValue)", .atMost(setting.promise), runs: asked,
      count: wrong,
      other: hasCulprit ? Double(right) / Double(max(1, asked)) : nil)
  }

  private static func counted(_ counts: Counts, _ day: Int) -> DayCounts {
    DayCounts(day: day, counts: .sum(counts.flatMap { $0 }))
  }

  private static func sum(_ days: [Counts]) -> Counts {
    (0..<2).map { release in
      shares.indices.map { system in .sum(days.map { $0[release][system] }) }
    }
  }

  private static func day(_ day: Int?, _ setting: Setting, _ draws: inout Draws) -> Counts {
    let fault = setting.fault
    let effect = setting.deviation * draws.normal()
    let isBroken = (day ?? -1) >= faultDay
    let hasRelease = fault == .everythingAtRelease || fault == .release
    let adopted = hasRelease && isBroken ? min(0.9, 0.05 * Double((day ?? 0) - faultDay + 1)) : 0
    return (0..<2).map { release in
      shares.indices.map { system in
        let share = shares[system] * (release == 1 ? adopted : 1 - adopted)
        let trials = draws.binomial(2_000, share)
        let drop: Double =
          switch fault {
          case .everything, .everythingAtRelease: 0.05
          case .value: system == 1 ? 0.15 : 0
          case .release: release == 1 ? 0.12 : 0
          }
        let rate = DayWorld.moved(rates[system], by: effect) - (isBroken ? drop : 0)
        return Proportion(successes: draws.binomial(trials, rate), trials: trials)
      }
    }
  }

  private struct Candidate {
    var name: String
    var points: Double
    var p: Double
  }

  /// The one that contributes most, of those that are shown to depart from the rest.
  private static func culprits(_ before: Counts, _ after: Counts) -> [String] {
    let systems = shares.indices.map { system in
      ProportionComparison(
        treatment: .sum(after.map { $0[system] }), control: .sum(before.map { $0[system] }))
    }
    let releases = (0..<2).map {
      ProportionComparison(treatment: .sum(after[$0]), control: .sum(before[$0]))
    }.filter { $0.treatment.trials + $0.control.trials > 0 }
    let all = candidates(systems, "system") + candidates(releases, "release")
    let change =
      (Proportion.sum(systems.map(\.treatment)).estimate ?? 0)
      - (Proportion.sum(systems.map(\.control)).estimate ?? 0)
    let adjusted = MultipleTesting.holm.adjust(all.map(\.p))
    let shown = zip(all, adjusted).filter { candidate, p in
      p < 0.05 && candidate.points < 0 && candidate.points / change >= 0.1
    }.map(\.0)
    return shown.max { $0.points.magnitude < $1.points.magnitude }.map { [$0.name] } ?? []
  }

  /// Each value's own change of rate, its share of people, and kinds that only one side has.
  private static func candidates(
    _ parts: [ProportionComparison], _ dimension: String
  ) -> [Candidate] {
    guard parts.count > 1 else { return [] }
    let common = parts.filter { $0.treatment.trials > 0 && $0.control.trials > 0 }
    let whole = pooled(parts)
    let matched = pooled(common)
    let middle =
      ((matched.treatment.estimate ?? 0) + (matched.control.estimate ?? 0)) / 2
    return parts.indices.flatMap { index -> [Candidate] in
      let part = parts[index]
      let name = "\(dimension) \(index)"
      let shares = ProportionComparison(
        treatment: Proportion(
          successes: part.treatment.trials, trials: whole.treatment.trials),
        control: Proportion(successes: part.control.trials, trials: whole.control.trials))
      let mixP = shares.scoreTest().value?.twoSidedP ?? 1
      let others = pooled(parts.indices.filter { $0 != index }.map { parts[$0] })
      guard let old = part.control.estimate, let new = part.treatment.estimate else {
        let rate = part.treatment.estimate ?? 0
        let test = ProportionComparison(treatment: part.treatment, control: others.treatment)
        return [
          Candidate(
            name: name,
            points: (shares.treatment.estimate ?? 0) * (rate - (matched.treatment.estimate ?? 0)),
            p: max(mixP, test.scoreTest().value?.lessP ?? 1))
        ]
      }
      let now = Double(part.treatment.trials) / Double(matched.treatment.trials)
      let then = Double(part.control.trials) / Double(matched.control.trials)
      let rest = parts.indices.filter { $0 != index }.map { parts[$0] }
      return [
        Candidate(name: name, points: (now - then) * ((old + new) / 2 - middle), p: mixP),
        Candidate(
          name: name, points: (now + then) / 2 * (new - old),
          p: SliceDeparture(part, rest: rest)?.lessP ?? 1),
      ]
    }
  }

  private static func pooled(_ parts: [ProportionComparison]) -> ProportionComparison {
    ProportionComparison(
      treatment: .sum(parts.map(\.treatment)), control: .sum(parts.map(\.control)))
  }
}
