import EventInput
import FlowDefinition
import Testing
import Timelines

/// What a flow reads can't be dropped, whichever part of the flow reads it.
@Suite struct RedactedPathTests {
  private static func flow(_ id: String, _ lines: String) throws -> Flow {
    try FlowParser.parse("flow: \(id)\nsteps: [a, b]\n\(lines)\n", file: "\(id).yaml").flow
  }

  @Test(arguments: FlowFile.builtInNames + ["own"])
  func `every path that is scanned is one that the flow says it uses`(name: String) throws {
    let flow =
      name == "own"
      ? try Self.flow(
        "own",
        """
        fields: {page_name: p.page, status: {path: p.s, values: {x: granted}}, flow: {constant: own}}
        experiments: {copy: {control: A, variants: [A, B]}}
        dimensions: [os, {id: z, path: q.z}]
        goals: [{id: g, event: e, by: kind, where: {size: 1}, anchor: {event: f, where: {c.d: 2}}}]
        """) : try FlowFile.load(name)
    let scanned = try FactSchema(flows: [flow]).plan.fields.filter { $0.constant == nil }
      .map { $0.path.joined(separator: ".") }
    let used = Set(flow.usedPaths.map(\.path))
    #expect(scanned.count > 10)
    #expect(scanned.filter { !used.contains($0) } == [])
  }

  @Test func `flows of which one drops what another uses are not read together`() throws {
    let one = try Self.flow("one", "redact: [\"context.user.*\", properties.name]")
    let two = try Self.flow("two", "dimensions: [{id: zone, path: context.user.zone}]")
    let three = try Self.flow("three", "redact: [properties.mail]")
    #expect(throws: FactSchemaError.redactedAndUsed("one", "two", "context.user.zone")) {
      try FactSchema(flows: [two, one])
    }
    let both = try FactSchema(flows: [one, three]).plan.redaction.paths
    #expect(both == RedactedPaths(["context.user.*", "properties.name", "properties.mail"]))
  }
}
