/// Numbers that are of nobody, by what the slice and the metric mean.
extension MetricCatalog {
  /// What is counted of all people who entered, those whose window is still open too.
  private static let ofEverybodyEntered: Set<MetricName> = [.entered, .immature]

  /// Why nobody can be in a slice and count for a metric.
  func emptyRefusal(_ place: MetricPlace) -> MetricRefusal? {
    guard let dimension = place.dimension, let value = place.value else { return nil }
    if dimension == "outcome", value == "(open)", !Self.ofEverybodyEntered.contains(place.metric) {
      return MetricRefusal(
        key: "breakdown",
        message: "'\(place.metric)' is of people whose window is over, and none of them has the "
          + "outcome '(open)'", allowed: outcomes.map { "outcome=\($0)" })
    }
    return place.metric == .skipShare ? skipRefusal(dimension, value) : nil
  }

  private var outcomes: [String] {
    ["finished"] + (flow.skip == .ends ? Self.ofSkips : []) + ["abandoned"]
  }

  /// The outcomes of people who used a skip that ends the flow.
  private static let ofSkips = ["finished_after_skipping", "skipped"]

  /// Shares of skips among people who used none.
  private func skipRefusal(_ dimension: String, _ value: String) -> MetricRefusal? {
    if dimension == "used_skip", value == "no" {
      return MetricRefusal(
        key: "breakdown", message: "'skip_share' is of people who used skip",
        allowed: ["used_skip=yes"])
    }
    // Who finishes and skips in one millisecond has finished, and used skip.
    guard dimension == "outcome", value == "abandoned", flow.skip == .ends else { return nil }
    return MetricRefusal(
      key: "breakdown",
      message: "'skip_share' is of people who used skip, which ends this flow: none of them "
        + "abandoned it", allowed: Self.ofSkips.map { "outcome=\($0)" })
  }
}
