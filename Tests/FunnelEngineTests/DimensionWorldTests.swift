import FlowDefinition
import FunnelEngine
import FunnelMetrics
import Testing

/// A world with a known truth: of 1000 people 400 leave before the third page, where the theme is
/// first sent; 500 of the other 600 finish, half of them with each theme.
@Suite("A dimension whose value comes on the way")
struct DimensionWorldTests {
  private static func analysis(
    _ dimension: String, oldRules: Set<ChangedRule> = []
  ) async throws -> Analysis {
    let world = MadeWorld(
      flow: "flow: themes\nwindow: 24h\nsteps: [one, two, three]\ndimensions: [\(dimension), os]\n")
    return try await world.analysis(persons: 1000, oldRules: oldRules) { person in
      let theme = person % 2 == 0 ? "light" : "dark"
      var events = ["+0s started context.os=iOS", "+1s view one"]
      if person < 600 { events.append("+9s view three context.theme=\(theme)") }
      if person < 500 { events.append("+20s finish context.theme=\(theme)") }
      return events
    }
  }

  private static func completion(_ theme: String, _ found: Analysis) -> [Int?] {
    let slice = Slice(breakdown: BreakdownKey(dimension: "theme", value: theme))
    let row = found.row(.completionRate, in: slice)
    return [row?.numerator, row?.denominator]
  }

  @Test func `nobody has the value at entry`() async throws {
    let found = try await Self.analysis("theme")
    #expect(Self.completion("(none)", found) == [500, 1000])
    #expect(Self.completion("light", found) == [nil, nil])
    #expect(found.tally.strata.rows.keys.allSatisfy { $0.values.count == 3 })
  }

  @Test(arguments: [true, false])
  func `known later, or by the first edition's rule, survivors have values`(
    isOldRule: Bool
  ) async throws {
    let found = try await Self.analysis(
      isOldRule ? "theme" : "{id: theme, known: later}",
      oldRules: isOldRule ? [.dimensionsAtEntry] : [])
    #expect(Self.completion("light", found) == [250, 300])
    #expect(Self.completion("dark", found) == [250, 300])
    #expect(Self.completion("(none)", found) == [0, 400])
    // People are not made alike by what they got on the way.
    let values = Set(found.tally.strata.rows.keys.map(\.values.count))
    #expect(values == (isOldRule ? [3] : [2]))
  }
}
