import ArgumentParser
import ExperimentStatistics
import FunnelReport

/// How many persons an experiment needs, before it is begun.
struct PowerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power", abstract: "Plan an experiment: persons and days for a lift.",
    discussion: """
      firstmile power --rate 60% --lift 5% --per-day 400

      The normal-approximation sample size for two proportions, two-sided. With several arms each \
      is compared with the control, and alpha is divided among them (Bonferroni, a little more \
      than Holm needs).
      """)

  @Option(help: "The control's rate today: 60% or 0.6.")
  var rate: String

  @Option(help: "The relative lift to show: 5% or 0.05.")
  var lift: String

  @Option(help: "How many arms besides the control.")
  var arms: Int = 1

  @Option(help: "The control's share of persons; the arms share the rest equally.")
  var controlShare: String?

  @Option(help: "The chance of a false alarm.")
  var alpha: Double = 0.05

  @Option(help: "The chance to show the lift if it is there.")
  var power: Double = 0.8

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
    let own = try controlShare.map { try share($0, "--control-share") } ?? 1 / Double(arms + 1)
    guard own > 0, own < 1 else {
      throw CommandError("--control-share must lie between 0 % and 100 %")
    }
    let arm = (1 - own) / Double(arms)
    let needed = Power.trialsNeeded(
      treatmentRate: treatment, controlRate: control, treatmentPerControl: arm / own,
      alpha: alpha / Double(arms), power: power)
    guard let size = needed.value else {
      throw CommandError("no number of persons would do: check --lift, --alpha and --power")
    }
    tell(control, treatment, size, arm, own)
  }

  private func checkNumbers() throws {
    guard (1...1000).contains(arms) else {
      throw CommandError("--arms must be at least 1 and at most 1000, found \(arms)")
    }
    if let perDay, !(perDay > 0 && perDay.isFinite) {
      throw CommandError("--per-day is a number of persons above 0, found \(perDay)")
    }
    for (option, share) in [("--alpha", alpha), ("--power", power)] where !(0 < share && share < 1)
    {
      throw CommandError("\(option) must lie between 0 and 1, both left out; found \(share)")
    }
  }

  private func tell(
    _ control: Double, _ treatment: Double, _ size: Power.SampleSize, _ arm: Double, _ own: Double
  ) {
    let total = size.control + arms * size.treatment
    var text = """
      To show a lift from \(percent(control)) to \(percent(treatment)) \
      (\(percent(power)) power, two-sided alpha \(alpha)\(arms > 1 ? ", \(arms) arms" : "")):
        control      \(size.control) persons
        \(arms > 1 ? "each arm   " : "variant    ")  \(size.treatment) persons
        together     \(total) persons

      """
    if let perDay {
      let days = Power.daysNeeded(
        for: size, trialsPerDay: perDay, treatmentShare: arm, controlShare: own)
      if let days = days.value {
        text += "  at \(NumberText.format(perDay) ?? "–") a day: \(days) days\n"
      }
    }
    text += "Add the days until the metric is mature: 7 for day-7 retention, and so on.\n"
    Console.output(text)
  }

  private func percent(_ share: Double) -> String {
    let tenths = (share * 1000).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) %" : "\(tenths) %"
  }

  private func share(_ text: String, _ option: String) throws -> Double {
    let isPercent = text.hasSuffix("%")
    guard let value = Double(isPercent ? String(text.dropLast()) : text), value.isFinite else {
      throw CommandError("\(option): found '\(text)'; allowed are 5% or 0.05")
    }
    return isPercent ? value / 100 : value
  }
}
