internal import FlowDefinition
internal import ReportText

/// What `metrics.json` says of the names of its rows: which definitions each number depends on, and
/// which rates say what another says.
///
/// Hundreds of numbers share a few dozen fingerprints, so each fingerprint is written once, with
/// the metrics and steps that have it.
struct NamesJSON {
  /// One object a fingerprint, in the order of the rows.
  let fingerprints: [String]
  /// One object a rate that repeats another.
  let repeatedRates: [String]

  init(_ analysis: Analysis) {
    var prints = MetricFingerprints(analysis.flow)
    let rates = RepeatedRates(analysis.flow)
    var seen: Set<RecordedReport.Rate> = []
    var groups: [Group] = []
    var places: [String: Int] = [:]
    var repeats: [String] = []
    for row in analysis.recordedRows {
      let name = RecordedReport.Rate(metric: row.metric, step: row.step)
      guard seen.insert(name).inserted else { continue }
      let print = prints.fingerprint(of: row.metric, step: row.step)
      let place = places[print] ?? groups.count
      if place == groups.count {
        places[print] = place
        groups.append(Group(fingerprint: print))
      }
      groups[place].add(name)
      if row.unit == .rate, let first = rates.repeated(row.metric, step: row.step) {
        repeats.append(NamesJSON.text(name, repeats: first))
      }
    }
    fingerprints = groups.map(\.text)
    repeatedRates = repeats
  }

  private static func text(
    _ name: RecordedReport.Rate, repeats first: TestedRate
  ) -> String {
    func members(_ metric: MetricName, _ step: String) -> [(String, String)] {
      let step = step == "all" ? [] : [("step", JSONText.string(step))]
      return [("metric", JSONText.string(metric.rawValue))] + step
    }
    return JSONText.compact(
      members(name.metric, name.step)
        + [("repeats", JSONText.compact(members(first.metric, first.step)))])
  }

  /// The names that share a fingerprint.
  private struct Group {
    let fingerprint: String
    private var metrics: [MetricName] = []
    private var steps: [MetricName: [String]] = [:]

    init(fingerprint: String) { self.fingerprint = fingerprint }

    mutating func add(_ name: RecordedReport.Rate) {
      if steps[name.metric] == nil { metrics.append(name.metric) }
      steps[name.metric, default: []].append(name.step)
    }

    package var text: String {
      let members = metrics.map { metric in
        (metric.rawValue, JSONText.compact((steps[metric] ?? []).map { JSONText.string($0) }))
      }
      return JSONText.compact([
        ("fingerprint", JSONText.string(fingerprint)), ("metrics", JSONText.compact(members)),
      ])
    }
  }
}
