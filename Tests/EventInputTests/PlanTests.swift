import EventInput
import Testing

/// What a plan can ask for besides paths.
struct PlanTests {
  private func values(_ fields: [FieldRule], _ text: String) throws -> [[String]] {
    let plan = ScanPlan(
      fields: [
        FieldRule(path: ["t"], role: .timestamp), FieldRule(path: ["u"], role: .user),
        FieldRule(path: ["alias", "u"], role: .user),
      ] + fields,
      tables: [NameTablePlan(declared: [])], slotTables: [0, 0], eventSlot: 0)
    return try scan(text, plan: plan).events.map(\.values)
  }

  @Test func aliasesAndConstants() throws {
    let fields = [
      FieldRule(path: ["e"], role: .slot(0), aliases: ["Page Viewed": "viewed", "gone": ""]),
      FieldRule(path: [], role: .slot(1), constant: "aiq"),
    ]
    let text = """
      {"e":"Page Viewed","u":1,"t":1768989600}
      {"e":"other","u":1,"t":1768989600}
      {"e":"gone","u":1,"t":1768989600}
      """
    #expect(try values(fields, text) == [["viewed", "aiq"], ["other", "aiq"]])
  }

  @Test func theFirstRuleWithAValueFillsTheSlot() throws {
    let fields = [
      FieldRule(path: ["e"], role: .slot(0)), FieldRule(path: ["name"], role: .slot(0)),
      FieldRule(path: ["e"], role: .slot(1)),
    ]
    let text = """
      {"e":"a","name":"b","u":"","alias":{"u":1},"t":1768989600}
      {"name":"b","u":1,"t":1768989600}
      {"name":"b","e":"a","u":1,"t":1768989600}
      """
    #expect(try values(fields, text) == [["a", "a"], ["b", "(none)"], ["a", "a"]])
  }

  @Test func tablesGrowOverSources() throws {
    let folder = try TemporaryFolder()
    let scanner = SourceScanner(plan: TestPlan.plan(), key: .fixed)
    var codes: [UInt32] = []
    for (index, name) in ["a", "b", "a"].enumerated() {
      let path = try folder.write(Array(line(event: name).utf8), "\(index)")
      let summary = try scanner.scan(.file(path), rejects: nil) { codes.append($0.values[0]) }
      #expect(summary.events == 1)
    }
    #expect(codes == [2, 3, 2])
    #expect(scanner.tables[0].name(of: 3) == "b")
  }

  @Test func whatTheCallerThrowsComesThrough() throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(line().utf8), "x")
    for overlap in [false, true] {
      let scanner = SourceScanner(plan: TestPlan.plan(), key: .fixed)
      #expect(throws: Stop.self) {
        _ = try scanner.scan(.file(path), rejects: nil, overlap: overlap) { _ in throw Stop() }
      }
      #expect(try scanner.scan(.file(path), rejects: nil) { _ in }.events == 1)
    }
  }
}
