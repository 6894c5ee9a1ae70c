import FlowDefinition
import Testing

/// `redact:` of the flow file; its mistakes are in Cases/redact.case.
@Suite struct RedactTests {
  private static let text = "redact: [properties.name, context.user.email, \"properties.user.*\"]"

  @Test func `paths are kept as they are written`() throws {
    let flow = try parsedFlow(Self.text)
    #expect(flow.redactedPaths == ["properties.name", "context.user.email", "properties.user.*"])
    #expect(try parsedFlow("").redactedPaths.isEmpty)
  }

  @Test func `a flow that is written down still redacts`() throws {
    let flow = try parsedFlow(Self.text)
    #expect(try FlowParser.parse(flow.fileText, file: "again.yaml").flow == flow)
  }

  @Test func `no number depends on it, and no fingerprint`() throws {
    #expect(try parsedFlow(Self.text).fingerprint == parsedFlow("").fingerprint)
  }

  @Test func `an item that is replaced by another use stays allowed`() throws {
    let flow = try parsedFlow(
      "fields: {page_name: properties.page}\nredact: [properties.page_name]")
    #expect(flow.redactedPaths == ["properties.page_name"])
  }
}
