import FlowDefinition
import ReferenceEvaluator
import Testing

/// Every timeline of up to three facts, each by itself.
struct SmallWorldTests {
  @Test func eachPersonIsInOnePlace() {
    let timelines = SmallWorld.timelines(upTo: 3)
    #expect(timelines.count == 28 + 378 + 3276)
    let evaluator = ReferenceEvaluator(flow: SmallWorld.flow, options: SmallWorld.options)
    var outcomes = [0, 0, 0, 0]
    for lines in timelines {
      let rows = evaluator.evaluate(lines: lines).rows.filter { row in
        row.version == "all" && row.cohort == "all" && row.breakdown == "all"
      }
      let numbers = Dictionary(rows.map { ([$0.metric, $0.step], $0.numerator) }) { $1 }
      func number(_ metric: String, _ step: String = "all") -> Int {
        numbers[[metric, step]] ?? -1
      }
      let isMember = number("persons") + number("orphans") + number("existing_users")
      #expect(isMember == 1, "\(lines)")
      let outcome = ["finished", "skipped", "abandoned", "finished_after_skipping"].map {
        number($0)
      }
      #expect(outcome.reduce(0, +) == number("persons"), "\(lines)")
      outcomes = zip(outcomes, outcome).map(+)
      let places = ["(entry)", "welcome", "plan", "done"].map { number("step_drop_off", $0) }
      #expect(places.reduce(0, +) == outcome[1] + outcome[2], "\(lines)")
      #expect(number("completed_late") <= outcome[2], "\(lines)")
      #expect(number("replayed") <= outcome[0] + outcome[1] + outcome[3], "\(lines)")
      #expect(number("used_skip_rate") >= outcome[1] + outcome[3], "\(lines)")
    }
    #expect(outcomes.dropLast().allSatisfy { $0 > 300 })
    #expect(outcomes[3] > 10, "\(outcomes)")
  }
}
