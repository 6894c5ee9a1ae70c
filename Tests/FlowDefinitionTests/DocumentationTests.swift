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

  @Test func `every key has its place in the grammar`() throws {
    let text = try document("flow-file.md")
    let error = #expect(throws: FlowFileErrors.self) {
      try FlowParser.parse("flow: x\nsteps: [a]\nx: y\n", file: "x.yaml")
    }
    let keys = try #require(error?.errors.first?.allowed)
    #expect(keys.count == 25)
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
