import FlowDefinition
import ReferenceEvaluator
import Testing

/// The tools for comparing another evaluation with the reference.
struct DisagreementTests {
  @Test func theSmallestDumpThatStillResumes() throws {
    let flow = try #require(try AdversarialFlows.all().first)
    let evaluator = ReferenceEvaluator(flow: flow)
    func resumes(_ lines: [String]) -> Bool {
      evaluator.evaluate(lines: lines).rows.contains {
        $0.metric == "resumed" && $0.numerator > 0
      }
    }
    var random = RandomTimelines(seed: 3, flow: flow)
    let lines = random.lines(persons: 12)
    try #require(resumes(lines))
    let smallest = Disagreement.shrink(lines, while: resumes)
    #expect(resumes(smallest))
    #expect(smallest.count <= 6)
    for index in smallest.indices {
      var fewer = smallest
      fewer.remove(at: index)
      #expect(!resumes(fewer))
    }
  }

  @Test func differencesNameTheRowAndBothNumbers() {
    let same = ReferenceRow(metric: "entered", numerator: 3)
    let left = ReferenceRow(metric: "completion_rate", numerator: 1, denominator: 2)
    let right = ReferenceRow(metric: "completion_rate", numerator: 1, denominator: 3)
    let messages = Disagreement.between(reference: [same, left], other: [right, same])
    #expect(messages.count == 1)
    #expect(messages.first?.contains("reference 1/2, other 1/3") == true)
    #expect(Disagreement.between(reference: [same], other: []).count == 1)
    #expect(Disagreement.between(reference: [same], other: [same, left]).isEmpty)
    let zero = ReferenceRow(metric: "entered", step: "x", numerator: 0)
    #expect(Disagreement.between(reference: [same, zero], other: [same]).count == 1)
    let forgiving = Disagreement.between(
      reference: [same, zero], other: [same], zeroIsAbsence: true)
    #expect(forgiving.isEmpty)
  }

  @Test func aFailureAsACaseReadsBack() throws {
    let flow = try #require(try AdversarialFlows.all().first)
    var random = RandomTimelines(seed: 5, flow: flow)
    let lines = random.lines(persons: 4).filter { $0.hasPrefix("{") }
    let options = ReferenceOptions(
      asOfMilliseconds: 1_769_571_200_123, fromMilliseconds: 1_757_571_200_000, cohort: .day)
    let rows = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines).rows
    let text = Disagreement.caseText(
      flow: "adversarial.yaml", options: options, lines: lines, rows: rows)
    let file = try #require(
      try CaseFile.parse(text.replacing("why: ", with: "why: read back"), file: "t").first)
    #expect(file.lines == lines)
    #expect(file.options == options)
    #expect(file.flow == flow)
    #expect(file.expected.map(\.row) == rows)
  }

  @Test func mistakesInACaseAreTold() {
    for text in [
      "why: no flow\nevents:\n----\nentered = 0",
      "why: bad event\nflow: aiq\nevents:\n  +0s u1\n----\nentered = 0",
      "why: bad row\nflow: aiq\nevents:\n----\nentered 0",
      "why: bad column\nflow: aiq\nevents:\n----\nentered {colour=blue} = 0",
      "flow: aiq\nevents:\n----\nentered = 0",
    ] {
      #expect(throws: CaseFile.Mistake.self) { try CaseFile.parse(text, file: "t.case") }
    }
  }
}
