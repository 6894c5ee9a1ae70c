import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// More persons than are counted at once: what is noted some hundreds at a time is all counted,
/// and once.
struct ManyPersonsTests {
  private static let flow = """
    flow: many
    window: 24h
    steps: [welcome, plan, done]
    experiments: {copy: {control: A, split: {A: 50%, B: 50%}}}
    goals: [{id: first, event: tapped, within: 12h}]
    retention: [{days: [1, 7]}]
    dimensions: [os]
    """

  private static let entry: Int64 = 1_767_600_000_000

  /// Times to complete, goals and returns that differ from person to person.
  private static func lines(_ persons: Int) -> [String] {
    (0..<persons).flatMap { person -> [String] in
      func line(_ event: String, _ days: Int, _ seconds: Int, _ properties: String = "{}") -> String
      {
        let time = entry + Int64((person % 11 + days) * 86_400 + seconds) * 1_000
        return """
          {"event":"\(event)","user_id":"u\(person)","timestamp":\(time),\
          "properties":\(properties),"context":{"os":"os\(person % 5)"},\
          "experiments":{"copy":"\(person % 2 == 0 ? "A" : "B")"}}
          """
      }
      var lines = [
        line("onboarding_started", 0, 0),
        line("onboarding_page_viewed", 0, 1 + person % 97, "{\"page_name\":\"plan\"}"),
      ]
      if person % 3 > 0 { lines.append(line("onboarding_completed", 0, 100 + 7 * person)) }
      if person % 5 < 2 { lines.append(line("tapped", 0, 30 + person % 1_000)) }
      if person % 4 == 1 { lines.append(line("app_opened", 1, person)) }
      if person % 7 == 2 { lines.append(line("app_opened", 7, person)) }
      return lines
    }
  }

  @Test(arguments: [255, 256, 257, 2_600], [1, 3])
  func nobodyIsLostOrCountedTwice(persons: Int, threads: Int) async throws {
    let flow = try FlowParser.parse(Self.flow, file: "many.yaml").flow
    let lines = Self.lines(persons)
    let options = ReferenceOptions(asOfMilliseconds: 1_780_000_000_000)
    let reference = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines)
    let found = try await Evaluated(
      files: [lines], flow: flow, options: options, threads: threads)
    #expect(found.disagreements(with: reference) == [])
    // The strata add up to the rates of everybody.
    let counts = found.analysis.tally.strata.rows.values
    func sum(_ place: Int) -> Int { counts.reduce(0) { $0 + $1[place] } }
    #expect(sum(0) == persons)
    let rates: [(MetricName, String)] = [
      (.goalRate, "first"), (.retention(day: 1), "all"), (.retention(day: 7), "all"),
    ]
    for (number, (name, step)) in rates.enumerated() {
      let row = try #require(found.analysis.row(name, step: step), "\(name)")
      #expect(sum(1 + 2 * number) == row.denominator && sum(2 + 2 * number) == row.numerator)
      #expect((row.numerator ?? 0) > persons / 20, "\(name)")
    }
  }
}
