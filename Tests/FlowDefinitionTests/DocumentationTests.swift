import FlowDefinition
import Foundation
import Testing

/// What the documents show must work.
@Suite struct DocumentationTests {
  private func document(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("docs/\(path)"), encoding: .utf8)
  }

  private func blocks(_ language: String, in text: String) -> [String] {
    text.split(separator: "```\(language)\n").dropFirst().map { part in
      String(part.prefix(upTo: part.firstRange(of: "\n```")?.lowerBound ?? part.endIndex)) + "\n"
    }
  }

  @Test func `every example of the flow file's grammar parses`() throws {
    let examples = blocks("yaml", in: try document("flow-file.md"))
    #expect(examples.count > 20)
    for example in examples {
      let head = example.contains("flow: ") && example.hasPrefix("flow:") ? "" : "flow: x\n"
      let steps =
        example.contains("steps:\n  - welcome\n") || head.isEmpty
        ? "" : "steps: [welcome, plan, premium, done]\n"
      #expect(throws: Never.self, "\(example)") {
        try FlowParser.parse(head + steps + example, file: "flow-file.md")
      }
    }
  }

  /// Targets and rules that no data could ever decide are refused, so parsing shows that they can.
  @Test(arguments: ["flow-file.md", "gate.md", "../README.md", "report.md", "metrics.md"])
  func `every example of a target or rule can be decided`(path: String) throws {
    let flow = try FlowParser.parse(
      """
      flow: demo
      steps: [welcome, plan, done]
      experiments: {length: {control: long, variants: [long, short]}}
      retention: [{days: [7]}]
      dimensions: [os]
      """, file: "demo.yaml"
    ).flow
    let text = try document(path)
    let examples = text.matches(of: /{(?:metric|quality): [^}\n]*}/).map { String($0.output) }
    let isReference = ["flow-file.md", "gate.md", "../README.md"].contains(path)
    #expect(!isReference || !examples.isEmpty)
    for example in examples {
      #expect(throws: Never.self, "\(path): \(example)") {
        try GateParser.parse("rules:\n  - \(example)\n", file: path, for: flow)
      }
    }
    for block in blocks("yaml", in: text) where block.contains("rules:\n") {
      #expect(throws: Never.self, "\(block)") {
        try GateParser.parse(block, file: path, for: flow)
      }
    }
  }

  @Test func `every key has its place in the grammar`() throws {
    let text = try document("flow-file.md")
    let error = #expect(throws: FlowFileErrors.self) {
      try FlowParser.parse("flow: x\nsteps: [a]\nx: y\n", file: "x.yaml")
    }
    let keys = try #require(error?.errors.first?.allowed)
    #expect(keys.count == 35)
    for key in keys { #expect(text.contains("`\(key)`"), "\(key)") }
  }

  @Test(arguments: FlowFile.builtInNames)
  func `a tracking plan's examples fit its flow`(name: String) throws {
    let flow = try FlowFile.load(name)
    let examples = blocks("json", in: try document("tracking-plans/\(name).md"))
    var events: Set<String> = []
    for example in examples {
      let object = try JSONSerialization.jsonObject(with: Data(example.utf8))
      let event = try #require(object as? [String: Any])
      events.insert(try #require(event["event"] as? String))
      #expect(event["timestamp"] is String)
      #expect(event["device_id"] is String)
      let experiment = flow.experiments.first { $0.id == event["experiment"] as? String }
      let variant = try #require(event["variant"] as? String)
      #expect(experiment?.variants.map(\.id).contains(variant) == true)
      let properties = event["properties"] as? [String: Any] ?? [:]
      for key in ["page_name", "skipped_at_page"] {
        guard let page = properties[key] as? String else { continue }
        #expect(flow.stepIndex(page) != nil, "\(page)")
      }
      if let permission = properties["permission"] as? String {
        #expect(flow.permissions.contains(permission))
      }
    }
    var needed = Set(flow.goals.map(\.pattern.event) + flow.friction.map(\.pattern.event))
    needed.formUnion(flow.retention.compactMap(\.pattern?.event))
    #expect(needed.subtracting(events) == [])
  }

  @Test func `the schema of an event is JSON`() throws {
    let object = try JSONSerialization.jsonObject(
      with: Data(try document("event.schema.json").utf8))
    let schema = try #require(object as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["required"] as? [String] == ["event", "timestamp"])
  }
}
