import EventInput
import FlowDefinition
import FlowDrafting
import Foundation
import FirstMileSimulation
import Testing
import Timelines

/// Drafts of flow files, from simulated dumps and from names of people's own.
@Suite struct FlowDraftTests {
  private static func sample(_ plan: SimulationPlan) throws -> DumpSampler.Sample {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-draft-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Simulator(plan).run(to: folder.path)
    return DumpSampler().sample(InputExpansion.expand([folder.path]).sources)
  }

  @Test(arguments: ["memoss", "unforgotten", "aiq", "trendy", "dequeue"])
  func `a draft can be run at once, in every format`(app: String) throws {
    let flow = try FlowFile.load(app)
    var plan = SimulationPlan(flow: flow, persons: 60, seed: 3)
    plan.files = 2
    for format in DumpFormat.allCases {
      plan.format = format
      let sample = try Self.sample(plan)
      #expect(sample.formats.map(\.rawValue) == [format.rawValue])
      let parsed = try FlowParser.parse(FlowDraft(sample).text, file: "draft.yaml")
      #expect(parsed.warnings.isEmpty, "\(app) \(format)")
      let draft = parsed.flow
      #expect(draft.id == app)
      #expect(draft.countsFrom == flow.countsFrom)
      #expect(draft.skip == flow.skip)
      #expect(Set(draft.steps.map(\.id)).isSuperset(of: draft.newestSteps(of: flow)), "\(format)")
      #expect(Set(draft.permissions) == Set(flow.permissions))
      #expect(draft.experiments.map(\.id).sorted() == flow.experiments.map(\.id).sorted())
      #expect(draft.dimensions.map(\.id).contains("app_version"))
      #expect(draft.dimensions.map(\.id).contains("os"))
    }
  }

  /// Whatever shape a dump has, its draft asks for ids and fields that its lines have.
  @Test(arguments: ["memoss", "unforgotten", "aiq", "trendy", "dequeue"])
  func `a draft reads its own dump with no more rejects than broken lines`(
    app: String
  ) async throws {
    let flow = try FlowFile.load(app)
    for (number, format) in DumpFormat.allCases.enumerated() {
      var plan = SimulationPlan(flow: flow, persons: 40, seed: UInt64(7 + number))
      (plan.format, plan.files, plan.wholeSeconds) = (format, 2, number % 2 == 0)
      plan.rates.broken = 0.02
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("firstmile-draft-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let truth = try Simulator(plan).run(to: folder.path)
      let sources = InputExpansion.expand([folder.path]).sources
      let text = FlowDraft(DumpSampler().sample(sources)).text
      let draft = try FlowParser.parse(text, file: "draft.yaml").flow
      let reader = TimelineLoader(schema: try FactSchema(flows: [draft]), threads: 1)
      let summaries = try await reader.read(sources, rejects: nil).summaries
      let broken = truth.lines.broken.values.reduce(0, +)
      #expect(broken > 0)
      #expect(summaries.map(\.rejects).reduce(0, +) == broken, "\(app) \(format)")
    }
  }

  @Test func `lines that are rejects are no events`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-draft-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: folder) }
    let good = Self.line("good", 1, 0, "{}")
    var bytes = Array("\(good)\n\(Self.line("b_d", 2, 1, "{}"))\n".utf8)
    bytes[bytes.lastIndex(of: UInt8(ascii: "_")) ?? 0] = 0xFF
    let bad = [
      "{\"event\":\"a\",\"user_id\":\"0\",\"timestamp\":1768989600}",
      "{\"event\":\"a\",\"user_id\":\"u\",\"timestamp\":9}", "\(good) more", "{\"event\":\"a\"", "",
      good,
    ]
    bytes += Array(bad.joined(separator: "\n").utf8)
    try Data(bytes).write(to: folder)
    let sample = DumpSampler().sample([.file(folder.path)])
    #expect(sample.events.map(\.event) == ["good", "good"])
    #expect(!FlowDraft(sample).text.contains("\u{FFFD}"))
  }

  /// Line separators end lines in YAML, also in comments; what turns the direction of text shows
  /// another file than the one that is read.
  @Test(arguments: [
    "2028", "2029", "0085", "0001", "007f", "feff", "202e", "2066", "200f", "061c", "200b", "fff9",
    "db40\\udc01",
  ])
  func `names with what ends or turns lines stay names`(code: String) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-draft-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: file) }
    let name = "od\\u\(code)d"
    var lines = (0..<30).flatMap { person in
      [
        Self.line("onboarding_started", person, 0, "{}"),
        Self.line("onboarding_page_viewed", person, 1, "{\"page_name\":\"\(name)\"}"),
      ]
    }
    lines += (0..<30).map { Self.line("\(name)_done", $0, 2, "{}") }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let text = FlowDraft(DumpSampler().sample([.file(file.path)])).text
    #expect(text.contains("steps:"))
    let flow = try FlowParser.parse(text, file: "draft.yaml").flow
    let read = try JSONDecoder().decode([String].self, from: Data("[\"\(name)\"]".utf8))
    // No step can have a control character in its name.
    #expect(
      flow.steps.map(\.id) == (["0001", "007f"].contains(code) ? ["first_page"] : read))
    let hidden = text.unicodeScalars.filter { $0 != "\n" && HiddenScalars.contains($0) }
    #expect(hidden.isEmpty, "\(hidden.map { String($0.value, radix: 16) })")
  }

  @Test func `names of people's own are mapped`() throws {
    let names = ["Tutorial Started", "Tutorial Screen Viewed", "Tutorial Finished"]
    var lines: [String] = []
    for person in 0..<20 {
      for (index, screen) in ["hello", "why \"us\"", "go: now"].enumerated() {
        let name = index == 0 ? names[0] : ""
        if !name.isEmpty { lines.append(Self.line(name, person, index, "{}")) }
        let quoted = screen.replacingOccurrences(of: "\"", with: "\\\"")
        lines.append(
          Self.line(names[1], person, index, "{\"screen\":\"\(quoted)\",\"page_number\":\(index)}"))
      }
      lines.append(Self.line(names[2], person, 3, "{}"))
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-draft-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(lines.joined(separator: "\n").utf8).write(to: folder)
    let draft = FlowDraft(DumpSampler().sample([.file(folder.path)]))
    let flow = try FlowParser.parse(draft.text, file: "draft.yaml").flow
    #expect(flow.steps.map(\.id) == ["hello", "why \"us\"", "go: now"])
    #expect(flow.countsFrom == 0)
    #expect(flow.identity == .user)
    #expect(
      flow.eventNames.map { "\($0.from) > \($0.to)" }.sorted() == [
        "Tutorial Finished > onboarding_completed",
        "Tutorial Screen Viewed > onboarding_page_viewed",
        "Tutorial Started > onboarding_started",
      ])
  }

  /// Programs that write tables turn whole numbers into fractions, and spell truth as they like.
  @Test(arguments: [
    (["10", "10.0"], ["true", "True"], ["7", "10", "z"], ["false", "true"]),
    (["10.0", "10.0"], ["True", "1.0"], ["7", "10", "z"], ["True", "false"]),
    (["10", "10"], ["1", "yes"], ["7", "10", "z"], ["1", "false", "yes"]),
    (["10.5", "9.0"], ["1", "1.0"], ["7.0", "10.5", "9.0", "z"], ["1", "false"]),
  ])
  func `a draft has one name for all spellings`(
    pages: [String], words: [String], steps: [String], variants: [String]
  ) throws {
    var lines: [String] = []
    for person in 0..<80 {
      let half = person % 2
      let variant = person % 4 < 2 ? words[half] : ["false", "False"][half]
      for (at, name) in ["7.0", pages[half], "z"].enumerated() {
        lines.append(
          Self.line(
            "onboarding_page_viewed", person, at,
            "{\"page_name\":\"\(name)\"},\"experiments\":{\"e\":\"\(variant)\"}"))
      }
    }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-draft-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let text = FlowDraft(DumpSampler().sample([.file(file.path)])).text
    let flow = try FlowParser.parse(text, file: "draft.yaml").flow
    #expect(flow.steps.map(\.id) == steps)
    #expect(flow.experiments.first?.variants.map(\.id).sorted() == variants)
  }

  private static func line(_ name: String, _ person: Int, _ at: Int, _ properties: String) -> String
  {
    """
    {"event":"\(name)","user_id":"u\(person)","timestamp":\(1_768_989_600 + at * 10),\
    "properties":\(properties)}
    """
  }
}

extension Flow {
  /// The steps of the newest version that everybody sees.
  fileprivate func newestSteps(of flow: Flow) -> [String] {
    flow.steps.filter { !$0.isOptional && $0.branchOf == nil }.map(\.id).filter { id in
      flow.versions.allSatisfy { _ in true } && !id.isEmpty
    }
  }
}
