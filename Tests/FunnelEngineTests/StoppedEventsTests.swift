import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import ReportFindings
import ReportText
import Testing

extension Evaluated {
  /// As the reference writes them.
  var stoppedEvents: Set<String> {
    Set(
      analysis.stoppedEvents.map { run in
        let name =
          switch run.event {
          case .completion: "completion"
          case .view(let step): "view:\(analysis.flow.steps[step].id)"
          case .answer(let permission): "answer:\(analysis.flow.permissions[permission])"
          }
        let dates = [run.days.lowerBound, run.days.upperBound].map {
          CivilCalendar.label(ofDay: $0, unit: .day)
        }
        return "\(name) \(dates[0]) \(dates[1])"
      })
  }
}

/// Days of whose people an event is missing that others have.
struct StoppedEventsTests {
  private static let monday: Int64 = 1_767_571_200_000
  private static let day: Int64 = 86_400_000

  /// What is lost of people who start on some days.
  private struct Loss {
    var days: Range<Int>
    var events: Set<String>

    func takes(_ event: String, on day: Int) -> Bool {
      days.contains(day) && events.contains(event)
    }
  }

  /// - Parameter people: how many start on each day; of five three finish, after an answer.
  private static func lines(_ people: [Int], _ losses: [Loss] = []) -> [String] {
    var lines: [String] = []
    for (day, count) in people.enumerated() {
      for person in 0..<count {
        let time = monday + Int64(day) * Self.day + 9 * 3_600_000 + Int64(person) * 1000
        var events = ["onboarding_started", "welcome"]
        if person % 5 < 4 { events.append("ask") }
        if person % 5 < 3 { events += ["permission_result", "done", "onboarding_completed"] }
        for (place, event) in events.enumerated()
        where !losses.contains(where: { $0.takes(event, on: day) }) {
          let isPage = ["welcome", "ask", "done"].contains(event)
          let name = isPage ? "onboarding_page_viewed" : event
          let own =
            isPage
            ? #""page_name":"\#(event)""#
            : #""permission":"push","status":"granted","prompted":true"#
          let at = time + Int64(place)
          lines.append(
            #"{"event":"\#(name)","user_id":"u\#(day)-\#(person)","timestamp":\#(at),"#
              + #""properties":{\#(own)}}"#)
        }
      }
    }
    return lines
  }

  private static func flow(_ settings: String = "") throws -> Flow {
    try FlowParser.parse(
      "flow: ask\nsteps: [welcome, {id: ask, asks: push}, done]\nretention: []\n\(settings)",
      file: "ask.yaml"
    ).flow
  }

  private static func found(
    _ people: [Int], _ losses: [Loss] = [], flow settings: String = ""
  ) async throws -> Evaluated {
    let (lines, flow) = (lines(people, losses), try flow(settings))
    let found = try await Evaluated(files: [lines], flow: flow)
    let reference = ReferenceEvaluator(flow: flow, options: ReferenceOptions())
      .evaluate(lines: lines)
    #expect(found.stoppedEvents == reference.stoppedEvents)
    return found
  }

  private static func dates(_ first: Int, _ last: Int) -> String {
    [first, last].map { CivilCalendar.label(ofDay: 20_458 + $0, unit: .day) }
      .joined(separator: " ")
  }

  private static func steady(_ people: Int, days: Int = 42) -> [Int] {
    Array(repeating: people, count: days)
  }

  @Test func `completions that stop are found, for good and for a week`() async throws {
    for (days, last) in [(30..<42, 40), (20..<27, 26)] {
      let loss = Loss(days: days, events: ["onboarding_completed"])
      let found = try await Self.found(Self.steady(30), [loss])
      #expect(found.stoppedEvents == ["completion \(Self.dates(days.lowerBound, last))"])
      let run = try #require(found.analysis.stoppedEvents.first)
      #expect(run.goesOn == (last == 40) && run.blockingStep == nil)
      #expect(abs(run.usual - 0.6) < 0.001 && run.people == 30 * run.days.count)
      #expect(found.analysis.hasUnknownLosses(at: "done"))
      #expect(!found.analysis.hasUnknownLosses(at: "ask"))
    }
  }

  @Test func `a step that nobody gets past is named`() async throws {
    let loss = Loss(
      days: 30..<42, events: ["permission_result", "done", "onboarding_completed"])
    let found = try await Self.found(Self.steady(30), [loss])
    #expect(found.stoppedEvents == ["completion \(Self.dates(30, 40))"])
    #expect(found.analysis.stoppedEvents.first?.blockingStep == 1)
  }

  @Test func `a step's views and a permission's results are found`() async throws {
    let views = try await Self.found(
      Self.steady(30), [Loss(days: 30..<42, events: ["ask"])])
    #expect(views.stoppedEvents == ["view:ask \(Self.dates(30, 40))"])
    let results = try await Self.found(
      Self.steady(30), [Loss(days: 30..<42, events: ["permission_result"])])
    #expect(results.stoppedEvents == ["answer:push \(Self.dates(30, 40))"])
    // Trends of rates that rest on nothing lost go on.
    #expect(views.analysis.daysWithGaps.isEmpty && !results.analysis.daysWithGaps.isEmpty)
  }

  @Test func `weekends, few people, late entries and optional steps are none`() async throws {
    let weekend = (0..<6).map {
      Loss(days: $0 * 7 + 5..<$0 * 7 + 7, events: ["onboarding_completed"])
    }
    #expect(try await Self.found(Self.steady(200), weekend).stoppedEvents.isEmpty)
    let few = Loss(days: 36..<42, events: ["onboarding_completed"])
    #expect(try await Self.found(Self.steady(5), [few]).stoppedEvents.isEmpty)
    // Two days of many people are no run yet.
    let young = Loss(days: 39..<42, events: ["onboarding_completed"])
    #expect(try await Self.found(Self.steady(100), [young]).stoppedEvents.isEmpty)
    // Nobody whose window is open has failed to do anything.
    let open = Loss(days: 34..<42, events: ["onboarding_completed"])
    let week = try await Self.found(Self.steady(30), [open], flow: "window: 8d\n")
    #expect(week.stoppedEvents.isEmpty)
    // What begins in the middle of the data is new.
    let new = Loss(days: 0..<20, events: ["onboarding_completed"])
    #expect(try await Self.found(Self.steady(30), [new]).stoppedEvents.isEmpty)
  }

  @Test func `random series agree with the reference`() async throws {
    var generator = SeededGenerator(seed: 12)
    var found = 0
    for _ in 0..<8 {
      let level = [6, 12, 25].randomElement(using: &generator) ?? 6
      let people = (0..<40).map { _ in Int.random(in: 0...level, using: &generator) }
      let losses = ["onboarding_completed", "ask", "permission_result"].map { event in
        let first = Int.random(in: 0..<36, using: &generator)
        return Loss(
          days: first..<min(40, first + Int.random(in: 1...20, using: &generator)), events: [event])
      }
      found += try await Self.found(people, losses).stoppedEvents.count
    }
    #expect(found > 4)
  }

  @Test func `the grade, the findings and the cohorts say so`() async throws {
    let loss = Loss(days: 30..<42, events: ["onboarding_completed"])
    let found = try await Self.found(Self.steady(30, days: 42), [loss])
    var provenance = Provenance(programVersion: "0")
    (provenance.lines, provenance.events) = (5000, 5000)
    let report = Report(found.analysis, provenance: provenance)
    let claim = "Nobody who started since 4 Feb 2026 finished."
    let finding = try #require(report.findings.first)
    #expect(finding.claim.text == claim && finding.tone == .alarm, "\(finding.claim.text)")
    let grade = ReportGrade(report)
    #expect(grade.letter == .c && grade.reasons.contains { $0.text.contains(claim) })
    let partial = found.analysis.cohorts().filter(found.analysis.isPartial).map(\.cohort)
    #expect(partial.contains("2026-W06") && !partial.contains("2026-W05"))
  }
}
