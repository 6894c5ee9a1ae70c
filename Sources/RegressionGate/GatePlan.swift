internal import ExperimentStatistics
package import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// What a gate can do with as much data as there is: how often it would fail without any true
/// change, and how small a true drop it catches.
package struct GatePlan: Sendable {
  /// One test of the gate.
  package struct Item: Sendable {
    package var title: String
    package var rule: GateRule
    /// The sample's trials, and the reference's where there is one.
    package var trials: Int
    package var referenceTrials: Int?
    package var unit: MetricRow.Unit
    /// The one-sided level that a single drop has to pass.
    package var alpha: Double
    /// The chance to fail although nothing is worse: the truth equals the reference, or the bound.
    package var falseAlarmRate: Double
    /// The smallest true drop (of durations: rise) that fails with the power asked for; `nil` where
    /// none would.
    package var smallestDropCaught: Double?
    /// Twice the margin, and the chance to catch it.
    package var lookedFor: Double
    package var power: Double
    /// Of a rule that asks for a proof: the chance to have one where nothing is worse, and where
    /// the truth is worse by the margin; `nil` for others.
    package var chanceToProve: (ifNothingIsWorse: Double, atTheMargin: Double)?
    /// How many persons more a pass needs; 0 where none, `nil` where no number would do.
    package var missingPersons: Int?
    package var missingDays: Int?
  }

  package var gate: Gate
  package var flow: String
  package var programVersion: String
  /// Tests in the order of their rules.
  package var items: [Item]
  /// Cases that can't be planned, and why.
  package var left: [(title: String, reason: String)]
  /// The chance that a run without any true change fails is at most this.
  package var falseAlarmRate: Double
  /// The chance that any of 30 nights fails without any true change is at most this, however the
  /// nights depend on each other: the sum of theirs.
  package var falseAlarmRateOfMonth: Double { min(1, 30 * falseAlarmRate) }
  /// What the gate would have said on past days, where that was asked for.
  package var replay = GateReplay()
}

extension GateRun {
  /// What this gate can catch on the data at hand. The flow's rates are taken as the truth.
  ///
  /// - Throws: `GateError` for a rule that matches nothing.
  package func plan() throws(GateError) -> GatePlan {
    let data = DataConditions(gate: gate, report: report, today: today).checks()
    let all = try evidence(data).filter { suppression($0.item.rule) == nil }
    let family = family
    var tests: [(item: GateCase, found: GateEvidence, test: any DropTest)] = []
    var left: [(title: String, reason: String)] = []
    for (item, found) in all {
      switch found.judging {
      case .test(let test) where test.p != nil: tests.append((item, found, test))
      case .test: left.append((item.title, "nobody counts for it yet"))
      case .decline:
        left.append(
          (
            item.title,
            "judged anew every night: at most \(RateText.bound(gate.alpha)) of steady apps ever "
              + "fail the rules with slow_decline"
          ))
      case .plain: left.append((item.title, "taken as it is: no chance is in it"))
      case .unknown(let reason), .invalid(let reason): left.append((item.title, reason))
      }
    }
    let alpha = family.singleAlpha(of: tests.count)
    let items = tests.map { item(of: $0.item, $0.found, $0.test, alpha) }
    return GatePlan(
      gate: gate, flow: report.analysis.flow.id,
      programVersion: report.provenance.programVersion, items: items, left: left,
      falseAlarmRate: family.falseAlarmRate(tests.map(\.test)))
  }

  private func item(
    of item: GateCase, _ found: GateEvidence, _ test: any DropTest, _ alpha: Double
  ) -> GatePlan.Item {
    let needed =
      item.rule.isProof
      ? test.trialsNeededToHold(alpha: alpha, power: gate.power)
      : test.trialsNeeded(alpha: alpha, power: gate.power)
    let missing = needed.map { max(0, $0 - test.trials) }
    let referenceTrials: Int? =
      switch test {
      case let drop as RateDrop: drop.reference.trials
      case let daily as DailyDrop: Int(daily.reference.trials.rounded())
      case let drop as StratifiedDrop: drop.controlTrials
      case let rise as QuantileRise: rise.referenceTrials
      default: nil
      }
    let unit = MetricCatalog.unit(of: item.metric)
    let largest =
      switch test {
      case let drop as RateDrop: drop.reference.estimate ?? 0
      case let daily as DailyDrop: daily.reference.rate
      case let drop as StratifiedDrop: drop.controlRate
      case let bound as RateBound: bound.bound
      case let rise as QuantileRise: 9 * rise.limit
      case let fall as QuantileFall: fall.limit
      default: max(0, 20 * test.lookedFor)
      }
    let words = GateWords(
      GateCheck(
        rule: item.rule, title: item.title, heading: item.title, metric: item.metric,
        step: item.step, slice: item.slice, verdict: .pass, current: found.current))
    let title = [item.title, words.shortBound].filter { !$0.isEmpty }.joined(separator: " ")
    return GatePlan.Item(
      title: title, rule: item.rule, trials: test.trials, referenceTrials: referenceTrials,
      unit: unit, alpha: alpha, falseAlarmRate: test.chanceToFail(drop: 0, alpha: alpha),
      smallestDropCaught: test.smallestDropCaught(
        alpha: alpha, power: gate.power, largest: largest),
      lookedFor: test.lookedFor, power: test.chanceToFail(drop: test.lookedFor, alpha: alpha),
      chanceToProve: item.rule.isProof ? chanceToProve(test, alpha) : nil,
      missingPersons: missing,
      missingDays: missing.flatMap { $0 == 0 ? 0 : days($0, trials: test.trials) })
  }

  private func chanceToProve(
    _ test: any DropTest, _ alpha: Double
  ) -> (ifNothingIsWorse: Double, atTheMargin: Double) {
    func chance(_ drop: Double) -> Double {
      test.chanceToHold(drop: drop, alpha: alpha, trials: test.trials)
    }
    return (chance(0), chance(test.lookedFor / 2))
  }
}
