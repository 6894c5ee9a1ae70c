@testable import FlowDefinition
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
@testable import ReportText
import Testing

/// From a step's bar to its people, and what the step is worth.
@Suite("People who dropped off")
struct DropOffPeopleTests {
  private static func analysis(_ groups: [DemoTally.Group]) throws -> Analysis {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    for group in groups { demo.add(group) }
    return Analysis(of: demo.tally, flow)
  }

  private static let long = VariantState.assigned("long")

  @Test func `the three most frequent next events, the others and nothing add up`() throws {
    let events: [(NextEvent, Int)] = [
      (.named("b"), 4), (.named("a"), 4), (.view(0), 7), (.named("c"), 2), (.named("d"), 1),
      (.named("(other)"), 9), (.none, 11),
    ]
    let analysis = try Self.analysis(
      events.map { event, count in
        .init(count: count, variant: Self.long, outcome: .abandoned, viewed: [0, 1], next: event)
      } + [.init(count: 50, variant: Self.long, outcome: .finished, viewed: [0, 1, 2, 3])])
    let step = analysis.flow.steps[1].id
    let next = analysis.nextEvents(after: step, in: .all)
    let first = NextEventRows.view(analysis.flow.steps[0].id)
    #expect(next.map(\.event) == [first, "a", "b", "(other)", "(none)"])
    #expect(next.map { $0.count.row.numerator } == [7, 4, 4, 12, 11])
    #expect(next.allSatisfy { $0.count.row.denominator == 38 })
    #expect(next.map { $0.median?.row.value } == [12, 12, 12, 12, nil])
    #expect(
      NextEventWords(analysis: analysis).sentence(analysis.flow.steps[1])?.text.contains(
        "Of the 38 people who dropped off at") == true)
    // Merging tallies of parts gives the tally of all.
    let again = analysis.nextEvents(
      after: step, in: Slice(experiment: "length", variant: "long"))
    #expect(again.map { $0.count.row.numerator } == [7, 4, 4, 12, 11])
  }

  @Test func `commands are quoted for a shell`() throws {
    let report = try DemoReport.ordinary()
    let page = report.htmlText()
    let id = report.analysis.flow.steps[1].id
    #expect(page.contains("firstmile explain &#39;#PERSON&#39; dumps/ --flow"))
    #expect(page.contains("--left-at \(id) --page \(id).html"))
    #expect(ShellText.word("it's") == "'it'\\''s'")
  }

  @Test func `a what-if is arithmetic on those who went on`() throws {
    // 100 view the first step, 20 leave there; of the 80 who go on 60 finish.
    let analysis = try Self.analysis([
      .init(count: 60, variant: Self.long, outcome: .finished, viewed: [0, 1, 2, 3]),
      .init(count: 20, variant: Self.long, outcome: .abandoned, viewed: [0, 1]),
      .init(count: 20, variant: Self.long, outcome: .abandoned, viewed: [0]),
    ])
    let all = WhatIf.all(analysis)
    let first = try #require(all.first)
    #expect(first.step == 0 && first.viewed == 100 && first.left == 20)
    #expect(first.completion(ifItLost: 0.2) == 0.6)
    #expect(abs(first.completion(ifItLost: 0.1) - 0.675) < 1e-12)
    #expect(abs(first.completion(ifItLost: 0) - 0.75) < 1e-12)
    #expect(first.halved == 0.1)
    let sentence = WhatIfWords.sentence(first, analysis).text
    #expect(sentence.contains("lost 10.0 % instead of 20.0 %, completion would be 67.5 %"))
    // Nobody leaves the last two steps, so that there is nothing to ask there.
    #expect(all.map(\.step) == [0, 1])
  }

  @Test func `a step that everybody leaves has no what-if`() throws {
    let analysis = try Self.analysis([
      .init(count: 30, variant: Self.long, outcome: .abandoned, viewed: [0])
    ])
    #expect(WhatIf.all(analysis).isEmpty)
    #expect(WhatIfPanel(HTMLReport(Report(analysis, provenance: DemoReport.provenance()))) == nil)
  }
}
