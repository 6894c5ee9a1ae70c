import ArgumentParser
import ExperimentStatistics
import ReportText

/// How many persons an experiment needs, before it is begun.
struct PowerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power", abstract: "Plan an experiment: persons and days for a lift.",
    discussion: """
      firstmile power --rate 60% --lift 5% --per-day 400
      firstmile power --rate 60% --lift 5% --variants 3 --metrics 12 --sequential

      The normal-approximation sample size for two proportions, two-sided. A report adjusts for \
      all metrics and variants that it compares, so alpha is divided among them: the first and \
      strictest of Holm's steps. An experiment with a 'primary' metric has one metric to plan \
      for. With --sequential the size is that of always-valid intervals.
      """)

  @Option(help: "The control's rate today: 60% or 0.6.")
  var rate: String

  @Option(help: "The relative lift to show: 5% or 0.05.")
  var lift: String

  @Option(help: "How many arms besides the control; one fewer than --variants.")
  var arms: Int?

  @Option(help: "How many variants, the control among them.")
  var variants: Int?

  @Option(help: "How many metrics decide; 1 where the experiment has a primary metric.")
  var metrics: Int = 1

  @Flag(help: "For an experiment that is looked at every day.")
  var sequential = false

  @Option(help: "As in the flow file: the persons at which always-valid intervals are narrowest.")
  var sequentialTuning: Int = 5000

  @Option(help: "The control's share of persons; the arms share the rest equally.")
  var controlShare: String?

  @Option(help: "The chance of a false alarm: 5% or 0.05.", transform: Share.parse)
  var alpha = Share(0.05)

  @Option(help: "The chance to show the lift if it is there.", transform: Share.parse)
  var power = Share(0.8)

  @Option(help: "How many persons begin in a day.")
  var perDay: Double?

  func run() throws {
    try checkNumbers()
    let control = try share(rate, "--rate")
    let relative = try share(lift, "--lift")
    let treatment = control * (1 + relative)
    guard control > 0, control < 1 else {
      throw CommandError("--rate must lie between 0 % and 100 %, found \(rate)")
    }
    guard relative != 0, treatment > 0, treatment < 1 else {
      throw CommandError(
        relative == 0
          ? "--lift must not be 0: there would be nothing to show"
          : "a lift of \(lift) on \(rate) leads to no rate between 0 % and 100 %")
    }
    let treatments = arms ?? (variants ?? 2) - 1
    let own =
      try controlShare.map { try share($0, "--control-share") } ?? 1 / Double(treatments + 1)
    guard own > 0, own < 1 else {
      throw CommandError("--control-share must lie between 0 % and 100 %")
    }
    let plan = Plan(control: control, treatment: treatment, treatments: treatments, own: own)
    guard let size = needed(plan).value else {
      throw CommandError("no number of persons would do: check --lift, --alpha and --power")
    }
    report(size, of: plan)
  }

  private struct Plan {
    var control: Double
    var treatment: Double
    var treatments: Int
    /// The control's share.
    var own: Double
    /// The share of each treatment.
    var arm: Double { (1 - own) / Double(treatments) }
  }

  private func needed(_ plan: Plan) -> Estimate<Power.SampleSize> {
    let planned = MultipleTesting.holm.plannedAlpha(
      alpha.fraction, comparisons: plan.treatments * metrics)
    let ratio = plan.arm / plan.own
    if sequential {
      return SequentialPower.trialsNeeded(
        treatmentRate: plan.treatment, controlRate: plan.control, treatmentPerControl: ratio,
        alpha: planned, power: power.fraction,
        tuning: SequentialTuning(trials: sequentialTuning, level: 1 - alpha.fraction))
    }
    return Power.trialsNeeded(
      treatmentRate: plan.treatment, controlRate: plan.control, treatmentPerControl: ratio,
      alpha: planned, power: power.fraction)
  }

  private func checkNumbers() throws {
    if let arms, let variants, arms != variants - 1 {
      throw CommandError(
        "--variants counts the control and --arms does not: --variants \(variants) is --arms "
          + "\(variants - 1), found \(arms); give one of them")
    }
    if let arms, !(1...1000).contains(arms) {
      throw CommandError("--arms must be at least 1 and at most 1000, found \(arms)")
    }
    if let variants, !(2...1001).contains(variants) {
      throw CommandError("--variants must be at least 2 and at most 1001, found \(variants)")
    }
    guard (1...10_000).contains(metrics) else {
      throw CommandError("--metrics must be at least 1 and at most 10000, found \(metrics)")
    }
    guard (10...1_000_000_000).contains(sequentialTuning) else {
      throw CommandError(
        "--sequential-tuning must be at least 10 and at most 1000000000, found "
          + "\(sequentialTuning)")
    }
    if let perDay, !(perDay > 0 && perDay.isFinite) {
      throw CommandError("--per-day is a number of persons above 0, found \(perDay)")
    }
    for (option, share) in [("--alpha", alpha.fraction), ("--power", power.fraction)]
    where !(0 < share && share < 1) {
      throw CommandError("\(option) must lie between 0 and 1, both left out; found \(share)")
    }
  }

  private func report(_ size: Power.SampleSize, of plan: Plan) {
    let several = plan.treatments > 1
    let family = [
      several ? "\(plan.treatments) arms" : nil, metrics > 1 ? "\(metrics) metrics" : nil,
      sequential ? "always valid" : nil,
    ].compactMap { $0 }.map { ", \($0)" }.joined()
    // As many that neither rate is 0 and they differ.
    let decimals =
      (1...9).first {
        let (own, other) = (percent(plan.control, $0), percent(plan.treatment, $0))
        return own != other && own != "0 %" && other != "0 %"
      } ?? 1
    var text = """
      To show a lift from \(percent(plan.control, decimals)) to \
      \(percent(plan.treatment, decimals)) \
      (\(percent(power.fraction)) power, two-sided alpha \(alpha.fraction)\(family)):
        control      \(size.control) persons
        \(several ? "each arm   " : "variant    ")  \(size.treatment) persons
        together     \(size.control + plan.treatments * size.treatment) persons

      """
    if let perDay {
      let days = Power.daysNeeded(
        for: size, trialsPerDay: perDay, treatmentShare: plan.arm, controlShare: plan.own)
      if let days = days.value {
        text += "  at \(NumberText.format(perDay) ?? "–") a day: \(CountText.of(days, "day"))\n"
      }
    }
    text += "Add the days until the metric is mature: 7 for day-7 retention, and so on.\n"
    Console.output(text)
  }

  private func percent(_ share: Double, _ decimals: Int = 1) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (share * 100 * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded)) %" : "\(rounded) %"
  }

  private func share(_ text: String, _ option: String) throws -> Double {
    let isPercent = text.hasSuffix("%")
    guard let value = Double(isPercent ? String(text.dropLast()) : text), value.isFinite else {
      throw CommandError("\(option): found '\(text)'; allowed are 5% or 0.05")
    }
    return isPercent ? value / 100 : value
  }
}
