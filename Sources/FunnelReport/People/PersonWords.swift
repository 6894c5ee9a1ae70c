internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What a page says about one person's attempt.
struct PersonWords {
  let flow: Flow
  let run: AttemptRun
  private var attempt: AttemptOutline { run.attempt }

  /// A share of the time away from which on the headline names it.
  private static let muchAway = 0.3

  /// `Finished after 50 min, 48 min of them away`, `Left at Sign in, last active after 2 min 5 s`.
  var headline: String {
    let time = Self.duration(run.lengthMilliseconds)
    let length = max(1, run.lengthMilliseconds)
    let isMuch = Double(run.awayMilliseconds) / Double(length) > Self.muchAway
    let away = isMuch ? ", \(Self.duration(run.awayMilliseconds)) of it away" : ""
    return switch attempt.outcome {
    case .finished: "Finished after \(time)\(away)"
    case .finishedAfterSkipping: "Skipped, and finished after \(time) all the same\(away)"
    case .skipped: "Skipped \(place) after \(time)\(away)"
    case .abandoned: "Left \(place), last active after \(time)\(away)"
    case .open: "Still under way, \(place) after \(time)\(away)"
    }
  }

  /// `at Sign in`, `before the first step`.
  private var place: String {
    guard let step = attempt.visits.last?.step, flow.steps.indices.contains(step) else {
      return "before the first step"
    }
    return "at \(SafeText.name(flow.steps[step].title, limit: 60))"
  }

  /// `Started 8 Mar 2026, 10:53:53 UTC · version three_screen · copy short · os iOS`
  var circumstances: String {
    let variants = attempt.variants.map { variant in
      (
        name: flow.title(ofExperiment: variant.name),
        value: flow.title(ofVariant: variant.value, in: variant.name)
      )
    }
    let named =
      variants
      + attempt.dimensions.filter { $0.value != "(none)" }.map {
        (name: flow.words(ofDimension: $0.name), value: PlainName.of($0.value))
      }
    let parts =
      ["Started \(Self.instant(attempt.entryMilliseconds))"]
      + (attempt.version == "(none)"
        ? [] : ["flow version \(SafeText.name(attempt.version, limit: 40))"])
      + named.map {
        "\(SafeText.name($0.name, limit: 40)) \(SafeText.name($0.value, limit: 40))"
      }
    return parts.joined(separator: " · ")
  }

  /// The figures below the headline: a name, a value, and what else to know.
  var figures: [(name: String, value: String, note: String)] {
    let ended = attempt.outcome == .abandoned || attempt.outcome == .open
    let pauses = run.pauses.count
    let reached = attempt.furthestStep.flatMap { flow.steps.indices.contains($0) ? $0 : nil }
    return [
      (
        "Outcome", Self.name(attempt.outcome),
        "\(ended ? "last event" : "decided") \(Self.instant(run.endMilliseconds))"
      ),
      ("Start to \(ended ? "last event" : "outcome")", Self.duration(run.lengthMilliseconds), ""),
      (
        "Away", run.awayMilliseconds == 0 ? "–" : Self.duration(run.awayMilliseconds),
        "\(pauses == 0 ? "no pause" : CountText.of(pauses, "pause")) of more than 30 min"
      ),
      ("With events", Self.duration(run.activeMilliseconds), "without the pauses"),
      (
        "Furthest step",
        reached.map { SafeText.name(flow.steps[$0].title, limit: 40) } ?? "none seen", ""
      ),
    ]
  }

  static func name(_ outcome: Outcome) -> String {
    switch outcome {
    case .finished: "Finished"
    case .finishedAfterSkipping: "Finished after skipping"
    case .skipped: "Skipped"
    case .abandoned: "Abandoned"
    case .open: "Open"
    }
  }

  static func duration(_ milliseconds: Int64) -> String {
    RateText.duration(Double(milliseconds) / 1000)
  }

  /// `8 Mar 2026, 10:53:53 UTC`
  static func instant(_ milliseconds: Int64) -> String {
    let dayMilliseconds: Int64 = 86_400_000
    let inDay = (milliseconds % dayMilliseconds + dayMilliseconds) % dayMilliseconds
    let clock = InstantText.format(milliseconds).dropFirst(11).prefix(8)
    return "\(DateText.day(Int((milliseconds - inDay) / dayMilliseconds))), \(clock) UTC"
  }
}
