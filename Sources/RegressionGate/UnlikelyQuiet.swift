internal import ExperimentStatistics
package import FlowDefinition
package import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// A week or more in which nobody began, although so many people did before that chance hardly
/// leaves it empty.
///
/// An app that sends another flow id, or an export that stopped, leaves the judged days without
/// anybody. A gate that called every such night a quiet one would be green for good.
package struct UnlikelyQuiet: Sendable {
  package let sentence: String

  /// Each weekday once: no weekend and no holiday is that long.
  private static let fewestDays = 7

  /// `nil` where it may be a quiet time.
  ///
  /// - Parameters:
  ///   - days: the judged days, without anybody who began.
  ///   - baseline: what they are held against, if anything.
  ///   - whole: everyone in the data. A period of few days is as quiet as the days before it are.
  package init?(_ days: DaySpan, baseline: Baseline?, whole: Report) {
    let people = whole.analysis.peopleByDay.filter { $0.day < days.first }
    let lastDay = [people.last?.day, baseline?.began?.last].compactMap(\.self)
      .filter { $0 < days.first }.max()
    let quiet = DaySpan(first: lastDay.map { $0 + 1 } ?? days.first, last: days.last)
    guard quiet.count >= Self.fewestDays,
      let usual = [Self.peopleADay(baseline), Self.peopleADay(people)].compactMap(\.self).max(),
      UnlikelyAbsence.holds(expected: usual * Double(quiet.count))
    else { return nil }
    let rounded = max(1, Int(usual.rounded()))
    sentence =
      "nobody began from \(quiet.text), and before that about \(NumberText.grouped(rounded)) "
      + "people a day: does the app send another flow id, is an event no longer sent, or called "
      + "otherwise, or are dumps missing?"
  }

  private static func peopleADay(_ baseline: Baseline?) -> Double? {
    guard let baseline, let began = baseline.began,
      let persons = baseline.row(.persons)?.numerator, persons > 0
    else { return nil }
    return Double(persons) / Double(began.count)
  }

  /// - Parameter people: of days in their order.
  private static func peopleADay(_ people: [(day: Int, people: Int)]) -> Double? {
    guard let last = people.last?.day else { return nil }
    // A baseline's days may be few people's: those whose clocks are late make it long.
    let recent = people.filter { $0.day > last - GoneNumber.daysBefore }
    guard let first = recent.first?.day else { return nil }
    return Double(recent.reduce(0) { $0 + $1.people }) / Double(last - first + 1)
  }

  /// What the data have of other flows, for the sentence.
  package static func words(_ census: FactCensus, of flow: Flow) -> String? {
    let others = census.flows.filter { $0.name != flow.id }.prefix(3).map {
      "'\(SafeText.name($0.name, limit: 40))' (\(NumberText.grouped($0.facts)))"
    }
    if others.isEmpty { return nil }
    return "The data have events of \(others.count == 1 ? "flow" : "flows") "
      + "\(others.joined(separator: ", ")), which \(others.count == 1 ? "is" : "are") not "
      + "'\(SafeText.name(flow.id, limit: 40))'."
  }
}

extension Analysis {
  /// How many people began on each day on which anybody did, in the order of the days; empty where
  /// people are not grouped by day.
  fileprivate var peopleByDay: [(day: Int, people: Int)] {
    cohorts(in: .all).compactMap { cohort in
      let slice = Slice(breakdown: BreakdownKey(dimension: BreakdownKey.cohort, value: cohort))
      guard let people = row(.entered, in: slice)?.numerator, people > 0,
        let day = InstantReader.day(cohort)
      else { return nil }
      return (day, people)
    }.sorted { $0.day < $1.day }
  }
}
