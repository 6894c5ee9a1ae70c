package import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// A median against the time that the design expects. It is no target of the flow file's `targets`,
/// whose verdicts are *met* and *missed*, and so has words of its own.
///
/// A median outside of that time is called so only where all of its interval is: with few people it
/// is soon some seconds off by chance.
package struct TimeVerdict {
  private enum Place: String {
    case within, above, below
    case nearlyAbove = "not clearly above"
    case nearlyBelow = "not clearly below"
  }

  private let expected: ClosedRange<Int64>
  private let place: Place

  /// - Parameters:
  ///   - seconds: the median.
  ///   - interval: of the median, in seconds; `nil` where too few people have a time.
  package init(
    _ seconds: Double, _ interval: ClosedRange<Double>?, _ expected: ClosedRange<Int64>
  ) {
    self.expected = expected
    let (least, most) = (Double(expected.lowerBound) / 1000, Double(expected.upperBound) / 1000)
    if seconds > most {
      place = (interval?.lowerBound ?? 0) > most ? .above : .nearlyAbove
    } else if seconds < least {
      place = (interval?.upperBound ?? .infinity) < least ? .below : .nearlyBelow
    } else {
      place = .within
    }
  }

  /// Of a slice's median of a duration; `nil` without a median or an expected time. The intervals
  /// of attempts are too narrow: a person's attempts are alike.
  package init?(
    _ analysis: Analysis, _ metric: MetricName, _ step: String, in slice: Slice,
    _ expected: ClosedRange<Int64>?
  ) {
    guard let expected,
      let median = analysis.datum(metric.percentile(50), step: step, in: slice)?.row.value
    else { return nil }
    let interval =
      analysis.flow.counting == .attempts
      ? nil : analysis.durationInterval(metric.percentile(50), step: step, in: slice)
    self.init(median, interval, expected)
  }

  /// Of a slice's median time to finish.
  package init?(_ analysis: Analysis, in slice: Slice) {
    self.init(
      analysis, .timeToComplete, "all", in: slice, analysis.expectedTotals.of(slice))
  }

  /// Whether people take longer than expected, beyond chance.
  package var isLonger: Bool { place == .above }

  package var glyph: String {
    switch place {
    case .within: "✓"
    case .above, .below: "✕"
    case .nearlyAbove, .nearlyBelow: "○"
    }
  }

  /// `as expected`, `longer than expected`, `not clearly longer than expected`
  package var words: String {
    switch place {
    case .within: "as expected"
    case .above: "longer than expected"
    case .below: "shorter than expected"
    case .nearlyAbove: "not clearly longer than expected"
    case .nearlyBelow: "not clearly shorter than expected"
    }
  }

  /// `within the 1–3 min target`, `not clearly above the 3 min target`
  package var againstTarget: String {
    "\(place.rawValue) the \(RateText.expected(expected, isDashed: true)) target"
  }
}
