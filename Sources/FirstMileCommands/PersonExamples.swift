import EventInput
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import RegressionGate
import Timelines

/// Hashes of a few persons that each failed check is about, the smallest: the same facts have the
/// same examples, whatever the threads. `explain` takes them in place of an id.
struct PersonExamples {
  let job: AnalysisRun
  let dump: AnalysisRun.Dump
  let report: Report
  /// How the people of each check were evaluated.
  let options: [DaySpan?: EvaluationOptions]
  /// For each check.
  let limit: Int
  /// Persons that are looked at; a check that is about few of them may come out short.
  private static let mostPersons = 50_000

  func add(to result: inout GateResult) throws {
    let failed = result.checks.indices.filter { result.checks[$0].verdict == .fail }
    let groups = Dictionary(grouping: failed) { result.checks[$0].judged }
    for (days, wanted) in groups {
      guard let options = options[days] else { continue }
      try add(to: &result, wanted, options)
    }
  }

  private func add(
    to result: inout GateResult, _ wanted: [Int], _ options: EvaluationOptions
  ) throws {
    var filters: [(index: Int, filter: ExampleFilter)] = []
    for index in wanted {
      if let filter = ExampleFilter(result.checks[index], report) {
        filters.append((index, filter))
      }
    }
    guard !filters.isEmpty else { return }
    let counter = try PersonTally(
      tables: dump.timelines.tables, flow: report.analysis.flow,
      options: options)
    var seen = 0
    for number in 0..<dump.timelines.partitionCount {
      let partition = try dump.timelines.partition(number)
      for person in partition.personsByHash {
        filters.removeAll { result.checks[$0.index].examples.count >= limit }
        seen += 1
        if filters.isEmpty || seen > Self.mostPersons { return }
        let tally = counter.tally(partition, person: person)
        for (index, filter) in filters where filter.includes(tally, report) {
          result.checks[index].examples.append("#" + partition.keys[person].hexadecimal)
        }
      }
    }
  }
}

extension IdentifierHash {
  /// 32 digits.
  var hexadecimal: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
