internal import ReportText
internal import ReportFindings

/// The sentences of an index.
extension ReportWords {
  /// A text up to its first full stop, and the rest.
  static func firstAndRest(_ text: String) -> (first: String, rest: String?) {
    guard let stop = text.firstRange(of: ". ") else { return (text, nil) }
    return (String(text[..<stop.lowerBound]) + ".", String(text[stop.upperBound...]))
  }

  /// `Dequeue misses 1 of its 8 targets`
  static func indexHeadline(_ index: ReportIndex) -> String {
    guard let first = index.latest.first else { return "No reports yet" }
    let name = SafeText.name(first.title, limit: 60)
    switch first.urgency {
    case 0: return "\(name): fix the data before deciding anything"
    case 1:
      let (missed, total) = (first.targets?.missed ?? 0, first.targets?.total ?? 0)
      return "\(name) misses \(missed) of its \(CountText.of(total, "target"))"
        + (first.isReady ? ", and an experiment can be decided" : "")
    case 2: return "\(name): an experiment can be decided"
    default:
      let targets = index.latest.compactMap(\.targets)
      if targets.isEmpty { return "Nothing needs a decision" }
      let unknown = targets.reduce(0) { $0 + $1.unknown }
      return unknown == 0
        ? "No flow misses a target"
        : "No flow is seen to miss a target; \(CountText.of(unknown, "target")) "
          + "\(unknown == 1 ? "has" : "have") no data"
    }
  }

  /// `5 flows. 2 miss targets, 1 has an experiment that can be decided. All data are grade B or
  /// better.`
  static func indexSummary(_ index: ReportIndex) -> String {
    let latest = index.latest
    guard !latest.isEmpty else { return "" }
    var text = "\(CountText.of(latest.count, "flow"))."
    let missing = latest.count { ($0.targets?.missed ?? 0) > 0 }
    let ready = latest.count { $0.isReady }
    var parts: [String] = []
    if missing > 0 { parts.append("\(missing) \(missing == 1 ? "misses" : "miss") targets") }
    if ready > 0 {
      parts.append(
        "\(ready) \(ready == 1 ? "has an experiment" : "have experiments") that can be decided")
    }
    if !parts.isEmpty { text += " \(parts.joined(separator: ", "))." }
    let worst = latest.map(\.grade).max() ?? "A"
    return text
      + (worst == "A" ? " No data problems found." : " The lowest data grade is \(worst).")
  }

  /// `3 of 8 met, 1 missed, 3 undecided, 1 without data`
  static func verdicts(_ targets: IndexEntry.Targets) -> String {
    var parts = ["\(targets.met) of \(targets.total) met"]
    if targets.missed > 0 { parts.append("\(targets.missed) missed") }
    if targets.undecided > 0 { parts.append("\(targets.undecided) undecided") }
    if targets.unknown > 0 { parts.append("\(targets.unknown) without data") }
    return parts.joined(separator: ", ")
  }

  /// `+26 people`
  static func morePeople(_ count: Int) -> String {
    let size = NumberText.grouped(count.magnitude == 0 ? 0 : Int(count.magnitude))
    let sign = count == 0 ? "±" : count > 0 ? "+" : "−"
    return "\(sign)\(size) \(count.magnitude == 1 ? "person" : "people")"
  }

  /// `Completion −1.1 points`; `nil` where one of both has no rate.
  static func change(_ rate: IndexEntry.Rate, since before: IndexEntry) -> String? {
    guard let now = rate.value,
      let then = before.rates.first(where: { $0.metric == rate.metric })?.value
    else { return nil }
    let text = RateText.signedNumber(now - then)
    return "\(rate.name) \(text == "0" ? "±0" : text) points"
  }
}
