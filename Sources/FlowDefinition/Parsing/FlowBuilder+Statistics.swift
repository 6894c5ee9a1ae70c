internal import Yams

/// `statistics:`: how sure the reports want to be.
extension FlowBuilder {
  mutating func readStatistics(_ file: MappingReader) {
    guard let node = file.node("statistics"),
      let reader = MappingReader(
        node, what: "'statistics'",
        allowed: [
          "alpha", "power", "target_lift", "correction", "rate_interval", "sequential_tuning",
        ], diagnostics)
    else { return }
    var settings = flow.statistics
    settings.alpha = diagnostics.percentage(reader, "alpha", 0.001...0.5) ?? settings.alpha
    settings.power = diagnostics.percentage(reader, "power", 0.5...0.999) ?? settings.power
    settings.targetLift =
      diagnostics.percentage(reader, "target_lift", 0.001...10) ?? settings.targetLift
    settings.correction =
      reader.choice("correction", StatisticsSettings.Correction.self) ?? settings.correction
    settings.rateInterval =
      reader.choice("rate_interval", StatisticsSettings.RateInterval.self)
      ?? settings.rateInterval
    settings.sequentialTuningPersons =
      reader.node("sequential_tuning").flatMap {
        diagnostics.wholeNumber($0, "'sequential_tuning'", in: 10...1_000_000_000)
      } ?? settings.sequentialTuningPersons
    flow.statistics = settings
  }
}

extension Diagnostics {
  /// A percentage in a range, as a fraction of 1.
  func percentage(
    _ reader: MappingReader, _ key: String, _ range: ClosedRange<Double>
  ) -> Double? {
    guard let node = reader.node(key), let text = text(node, "'\(key)'") else {
      return nil
    }
    guard let fraction = ScalarText.percent(text) else {
      error(
        "'\(key)' must be a percentage, found '\(text)'", at: node.place, found: text,
        suggestion: ScalarText.percentSuggestion(for: text))
      return nil
    }
    guard range.contains(fraction) else {
      let (low, high) = (
        ScalarText.percentText(range.lowerBound), ScalarText.percentText(range.upperBound)
      )
      error(
        "'\(key)' must be from \(low) to \(high), found '\(text)'", at: node.place, found: text)
      return nil
    }
    return fraction
  }
}
