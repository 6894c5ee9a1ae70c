import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import FunnelReport
import ReportFindings
import Testing
import Timelines

/// What `validate` finds in small dumps with one fault each.
@Suite struct ValidationTests {
  private static let flowText = """
    flow: demo
    steps: [hello, plan, done]
    experiments: {copy: {control: A, variants: [A, B]}}
    permissions: [notifications]
    dimensions: [app_version]
    """

  private static func event(
    _ name: String, _ person: Int, _ second: Int, _ properties: String = "{}", more: String = ""
  ) -> String {
    """
    {"event":"\(name)","message_id":"\(name)-\(person)-\(second)","user_id":"u\(person)",\
    "timestamp":\(1_768_989_600 + second),"flow":"demo","experiment":"copy",\
    "variant":"\(person % 2 == 0 ? "A" : "B")","properties":\(properties),\
    "context":{"app_version":"1.\(person % 2)"}\(more)}
    """
  }

  private static func good(_ person: Int) -> [String] {
    [
      event("onboarding_started", person, 0),
      event("onboarding_page_viewed", person, 1, #"{"page_name":"hello"}"#),
      event("onboarding_page_viewed", person, 5, #"{"page_name":"plan"}"#),
      event("permission_prompted", person, 6, #"{"permission":"notifications"}"#),
      event(
        "permission_result", person, 8,
        #"{"permission":"notifications","status":"granted","prompted":true}"#),
      event("onboarding_page_viewed", person, 9, #"{"page_name":"done"}"#),
      event("onboarding_completed", person, 12, #"{"completion_method":"finished"}"#),
    ]
  }

  private static func validate(_ lines: [String]) async throws -> Validation {
    try await graded(lines).validation
  }

  private static func graded(
    _ lines: [String], asOf: Int64? = nil
  ) async throws -> (validation: Validation, report: Report) {
    let flow = try FlowParser.parse(flowText, file: "demo.yaml").flow
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-validate-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(lines.joined(separator: "\n").utf8).write(to: path)
    let schema = try FactSchema(flows: [flow]).inspecting
    let read = try await TimelineLoader(schema: schema, threads: 2)
      .read([.file(path.path)], rejects: nil)
    let horizon = read.timelines.span?.horizonMilliseconds ?? 0
    let inspection = try await DataInspection.inspect(
      read.timelines, flow: flow, options: EvaluationOptions(asOf: asOf, span: read.timelines.span),
      threads: 2)
    var input = ValidationInput(flow: flow, inspection: inspection)
    let summary = try #require(read.summaries.first)
    input.sources = [
      .init(
        name: "dump", format: summary.format.rawValue, lines: summary.lines)
    ]
    input.rejects = summary.rejectsByReason.map { reason, count in
      let line = summary.firstRejects[reason]?.line ?? 0
      return .init(reason: reason.rawValue, count: count, example: "line \(line)")
    }
    let notes = try #require(summary.inspection)
    input.arrivalsByHour = notes.arrivalsByHour
    input.clockReadings = notes.clockReadings
    input.messageIds = notes.messages.ids
    input.repeatedMessages = notes.messages.repeats
    input.messagesWithOtherContent = notes.messages.idsWithOtherContent
    input.timelineCounts = [
      "facts": try read.timelines.counts.facts,
      "repeated_facts": try read.timelines.counts.repeatedFacts,
    ]
    input.horizonMilliseconds = horizon
    let tally = try await FlowEvaluator.tally(
      read.timelines, flow: flow, options: EvaluationOptions(asOf: asOf, span: read.timelines.span),
      threads: 2)
    var provenance = Provenance(
      programVersion: "1", lines: summary.lines, events: summary.events,
      timelineCounts: input.timelineCounts)
    for (reason, count) in summary.rejectsByReason {
      provenance.rejectsByReason[reason.rawValue] = count
    }
    provenance.sources = [
      .init(
        name: "dump", digest: summary.digest?.description, lines: summary.lines,
        events: summary.events,
        rejects: summary.rejects, problems: [])
    ]
    let report = Report(Analysis(of: tally, flow), provenance: provenance)
    return (Validation(input, report: report), report)
  }

  /// The letter that the report of the same data has.
  private static func reportGrade(_ report: Report) throws -> String {
    let text = try #require(report.document("report.md")?.text)
    let mark = try #require(text.firstRange(of: "data quality **"))
    return String(text[mark.upperBound...].prefix(1))
  }

  private static let clean = (0..<40).flatMap(good)

  private static func count(_ validation: Validation, _ check: String) -> Int? {
    validation.checks.first { $0.check == check }?.count
  }

  @Test func `clean data is an A`() async throws {
    let validation = try await Self.validate(Self.clean)
    #expect(validation.grade == .a)
    #expect(validation.reasons == [])
    #expect(validation.text().hasPrefix("Trust grade A"))
    #expect(validation.csv().hasPrefix("check,item,count,total,share,grade,note\n"))
    let json = try JSONSerialization.jsonObject(with: Data(validation.json().utf8))
    #expect((json as? [String: Any])?["grade"] as? String == "A")
  }

  /// What both look at costs the same in both.
  @Test(
    arguments: [
      ("A", clean), ("D", clean + Array(repeating: "no json", count: 20)),
      ("D", clean.filter { !$0.contains("permission_") }),
      ("D", clean.filter { !$0.contains("onboarding_completed") }),
      ("D", clean.map { $0.replacingOccurrences(of: "\"experiment\"", with: "\"trial\"") }),
      ("C", clean.filter { !$0.contains("\"plan\"") }),
      (
        "C",
        clean + (0..<12).map { event("opened", $0, -40 * 86_400) }
          + (0..<40).flatMap { day in (0..<40).map { event("opened", 200 + $0, -day * 86_400) } }
      ),
      ("C", clean + [event("onboarding_complete", 3, 20)]),
    ] as [(String, [String])])
  func `the report's grade is validate's`(grade: String, lines: [String]) async throws {
    let (validation, report) = try await Self.graded(lines, asOf: 1_769_500_000_000)
    #expect(try Self.reportGrade(report) == grade)
    #expect(validation.grade.rawValue == grade, "\(validation.reasons)")
  }

  @Test(arguments: [
    ("rejects", ["no json"], 1), ("onboarding", [event("onboarding_complete", 3, 20)], 1),
    ("orphans", [event("onboarding_completed", 90, 1)], 1),
    ("starts_without_views", (90..<95).map { event("onboarding_started", $0, 1) }, 5),
    ("completions_before_start", good(90) + [event("onboarding_completed", 90, -9)], 1),
    (
      "views_before_start",
      good(90) + [event("onboarding_page_viewed", 90, -9, #"{"page_name":"plan"}"#)], 1
    ),
    (
      "answers_before_prompt",
      [
        event(
          "permission_result", 3, 5,
          #"{"permission":"notifications","status":"denied","prompted":true}"#)
      ], 1
    ),
    ("undeclared_pages", [event("onboarding_page_viewed", 3, 7, #"{"page_name":"helo"}"#)], 1),
    (
      "page_conflicts",
      (0..<2).map {
        event("onboarding_page_viewed", $0, 7, #"{"page_name":"plan","page_number":3}"#)
      }, 2
    ),
    (
      "message_ids_with_other_content",
      [
        event("onboarding_started", 1, 60).replacingOccurrences(
          of: "onboarding_started-1-60", with: "onboarding_started-1-0")
      ], 1
    ),
  ])
  func `a fault is counted and costs the A`(
    check: String, extra: [String], count: Int
  ) async throws {
    let validation = try await Self.validate(Self.clean + extra)
    #expect(validation.grade > .a)
    if check == "onboarding" {
      let event = validation.checks.first { $0.check == "undeclared_event" }
      #expect(event?.note.contains("onboarding_completed") == true)
      return
    }
    #expect(Self.count(validation, check) == count)
    #expect(validation.reasons.contains { $0.check == check })
  }

  @Test func `another app's data is an F`() async throws {
    let lines = Self.clean.map { $0.replacingOccurrences(of: "\"demo\"", with: "\"other\"") }
    #expect(try await Self.validate(lines).grade == .f)
  }

  @Test func `arrivals tell until when the data is complete`() async throws {
    let lines = (0..<100).map { person in
      let delay = person < 99 ? 60 : 5 * 3600
      return Self.event(
        "onboarding_started", person, 0, more: ",\"received_at\":\(1_768_989_600 + delay)")
    }
    let validation = try await Self.validate(lines)
    let horizon: Int64 = 1_768_989_600_000
    #expect(validation.completeUntil(share: 0.99) == horizon - 3_600_000)
    #expect(validation.completeUntil(share: 0.999) == horizon - 6 * 3_600_000)
  }
}
