internal import FlowDefinition
internal import ReportText

/// What a gate would have said on past days.
package struct GateReplay: Sendable {
  /// One day's run.
  package struct Day: Sendable {
    /// `nil` without facts.
    package var horizonMilliseconds: Int64?
    package var verdict: GateVerdict
    /// How many checks have each verdict.
    package var counts: [GateVerdict: Int]
    /// Titles of the checks that failed.
    package var failed: [String]
  }

  /// The earliest first.
  package private(set) var days: [Day] = []

  /// Days on which nobody could be judged who is not the baseline's.
  package private(set) var leftOut = 0

  package init() {}

  /// Notes a day on which nobody could be judged.
  package mutating func leaveOut() { leftOut += 1 }

  /// Puts a run of an earlier day before those that are there.
  package mutating func prepend(_ result: GateResult) {
    let failed = result.checks.filter { $0.verdict == .fail && !$0.isSuppressed }.map(\.title)
    let day = Day(
      horizonMilliseconds: result.horizonMilliseconds, verdict: result.verdict,
      counts: Dictionary(
        uniqueKeysWithValues: GateVerdict.allCases.map { ($0, result.count($0)) }),
      failed: failed)
    days.insert(day, at: 0)
  }

  func lines() -> [String] {
    let left =
      leftOut == 0
      ? []
      : [
        "\(CountText.of(leftOut, "earlier day")) left out: nobody was complete yet who began "
          + "after the baseline"
      ]
    return left
      + days.map { day in
        let until = day.horizonMilliseconds.map { String(InstantText.format($0).prefix(10)) } ?? "–"
        let counts = GateVerdict.allCases.filter { day.counts[$0] ?? 0 > 0 }
          .map { "\(day.counts[$0] ?? 0) \($0.rawValue)" }
        let failed = day.failed.isEmpty ? "" : ": \(day.failed.joined(separator: "; "))"
        return "\(until)  \(TextWidth.left(day.verdict.rawValue, 13))"
          + counts.joined(separator: ", ") + failed
      }
  }

  func json() -> [String] {
    days.map { day in
      JSONText.object(
        [
          ("horizon", JSONText.string(day.horizonMilliseconds.map(InstantText.format))),
          ("verdict", JSONText.string(day.verdict.rawValue)),
        ] + GateVerdict.allCases.map { ($0.rawValue, JSONText.number(day.counts[$0] ?? 0)) }
          + [("failed", JSONText.array(day.failed.map { JSONText.string($0) }))])
    }
  }
}
