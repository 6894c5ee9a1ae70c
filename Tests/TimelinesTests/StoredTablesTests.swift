import FlowDefinition
import Testing

@testable import Timelines

/// What finds no place in a table has no values: packs whose tables might not fit stay apart.
struct StoredTablesTests {
  private static func tables(actions: Int, contexts: Int) throws -> StoredTables {
    let flow = try FlowParser.parse("flow: app\nsteps: [welcome]\n", file: "app.yaml").flow
    var tables = StoredTables(StoredLayout(try FactSchema(flows: [flow])))
    tables.actions = Array(repeating: 0, count: actions * tables.actionWidth)
    tables.contexts = Array(repeating: 0, count: contexts * tables.contextWidth)
    return tables
  }

  @Test func groupsHavePlaceInOneTable() throws {
    let small = try Self.tables(actions: 100, contexts: 10)
    let half = try Self.tables(actions: Fact.maximumActions / 2, contexts: 10)
    let full = try Self.tables(actions: Fact.maximumActions, contexts: 10)
    let empty = try Self.tables(actions: 0, contexts: 0)
    func groups(_ tables: [StoredTables]) -> [Range<Int>] { StoredTables.groupsWithPlace(tables) }
    #expect(groups([]) == [])
    #expect(groups([small, empty, half, small]) == [0..<4])
    // Two halves share the code of no values.
    #expect(groups([half, half]) == [0..<2])
    #expect(groups([half, half, small, half, small]) == [0..<2, 2..<5])
    #expect(groups([full, small, full]) == [0..<1, 1..<2, 2..<3])
    let manyContexts = try Self.tables(actions: 10, contexts: Fact.maximumContexts / 2 + 1)
    #expect(groups([manyContexts, manyContexts, small]) == [0..<1, 1..<3])
  }
}
