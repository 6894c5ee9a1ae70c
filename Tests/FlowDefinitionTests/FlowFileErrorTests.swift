import FlowDefinition
import Foundation
import Testing

@Suite struct FlowFileErrorTests {
  @Test(arguments: CaseFile.names)
  func `every mistake is told in these words`(name: String) throws {
    let cases = try CaseFile.read(name)
    #expect(!cases.isEmpty)
    for flowCase in cases {
      #expect(messages(flowCase.text) == flowCase.messages, "\(name): \(flowCase.why)")
    }
  }

  @Test func `an error carries its parts`() throws {
    let error = try #require(throws: FlowFileErrors.self) {
      try FlowParser.parse("flow: x\nstps: [a]\nsteps: [a]\n", file: "flows/x.yaml")
    }.errors.first
    #expect(error?.file == "flows/x.yaml")
    #expect(error?.line == 2)
    #expect(error?.column == 1)
    #expect(error?.found == "stps")
    #expect(error?.suggestion == "steps")
    #expect(error?.allowed.prefix(3) == ["flow", "title", "window"])
    #expect(error?.message == "unknown key 'stps'")
  }

  @Test func `bytes that are not UTF-8 are told with their place`() throws {
    let error = #expect(throws: FlowFileErrors.self) {
      try FlowParser.parse(bytes: Array("flow: x\ntitle: ä".utf8) + [0xFF, 0x0A], file: "x.yaml")
    }
    #expect(
      error?.description == "x.yaml:2:9: not UTF-8: byte 0xFF; save the file as UTF-8")
  }

  @Test func `a character cut off at the end is told too`() throws {
    let error = #expect(throws: FlowFileErrors.self) {
      try FlowParser.parse(bytes: Array("flow: x".utf8) + [0xC3], file: "x.yaml")
    }
    #expect(error?.description == "x.yaml:1:8: not UTF-8: byte 0xC3; save the file as UTF-8")
  }

  @Test func `a byte-order mark is no mistake`() throws {
    let flow = try FlowParser.parse("\u{FEFF}flow: x\nsteps: [a]\n", file: "x.yaml").flow
    #expect(flow.id == "x")
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func `deep nesting is refused, not fatal`(opening: String) {
    let text = "flow: x\nsteps: " + String(repeating: opening, count: 100_000)
    let lines = "steps:\n" + String(repeating: String(repeating: opening, count: 400), count: 4)
    #expect(throws: FlowFileErrors.self) { try FlowParser.parse(text, file: "x.yaml") }
    #expect(throws: FlowFileErrors.self) { try FlowParser.parse(lines, file: "x.yaml") }
  }

  @Test func `a large file is refused`() {
    let text = String(repeating: "# comment\n", count: 200_000)
    let error = #expect(throws: FlowFileErrors.self) {
      try FlowParser.parse(text, file: "x.yaml")
    }
    #expect(
      error?.description == "x.yaml:1:1: the file is larger than 1 MiB; no flow or gate file is")
  }

  private func messages(_ text: String) -> String {
    do throws(FlowFileErrors) {
      return try FlowParser.parse(text, file: "x.yaml").warnings.map(\.description)
        .joined(separator: "\n")
    } catch {
      return error.description
    }
  }
}
