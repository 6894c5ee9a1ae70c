import FlowDefinition
@testable import FunnelEngine
import FunnelMetrics
import ReportFindings
import Testing

@Suite("A report about nobody says why")
struct EmptyPopulationTests {
  private static var census: FactCensus {
    var census = FactCensus()
    census.facts = 6056
    census.milliseconds = 1_767_571_200_000...1_769_990_400_000
    census.flows = [.init(name: "aiq", facts: 2274)]
    census.pages = ["a", "b", "c", "d"].enumerated().map { .init(name: $1, facts: 40 - $0) }
    return census
  }

  private func text(
    _ census: FactCensus = census, options: [String: String] = [:], factsCounted: Int = 6056,
    quality: (inout QualityCounts) -> Void = { _ in }
  ) throws -> String {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.setQuality(quality)
    let nobody = EmptyPopulation(Analysis(of: demo.tally, flow), census: census, options: options)
    return try #require(nobody).text(factsCounted: factsCounted)
  }

  @Test func `the wrong flow is told with what is there instead`() throws {
    let text = try text()
    #expect(text.contains("look at --flow"))
    #expect(text.contains("6,056 facts from 2026-01-05 to 2026-02-02"))
    #expect(text.contains("of flow aiq (2,274); pages a (40), b (39), c (38), …"))
    #expect(!text.contains("events"))
  }

  @Test func `dates with nothing in them are named`() throws {
    let early = try text(options: ["as_of": "2020-01-01"], factsCounted: 0)
    #expect(early.contains("comes after --as-of 2020-01-01"))
    let between = try text(options: ["from": "2027-01-01", "to": "2027-02-01"])
    #expect(between.contains("within --from 2027-01-01 --to 2027-02-01"))
    // Facts before that moment are there: it is not the date.
    #expect(try text(options: ["as_of": "2026-01-06"]).contains("look at --flow"))
  }

  @Test func `persons without an entry are told`() throws {
    let text = try text { ($0.orphans, $0.existingUsers) = (7, 1234) }
    #expect(text.contains("1,234 had been there long before and 7 have no entry"))
  }

  @Test func `somebody is enough`() throws {
    let report = try DemoReport.tiny()
    #expect(EmptyPopulation(report.analysis, census: Self.census, options: [:]) == nil)
  }

  @Test(arguments: HostileNameTests.names) func `names do no harm`(name: String) throws {
    var census = Self.census
    census.flows = [.init(name: name, facts: 1)]
    let text = try text(census, options: ["from": name])
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B })
    #expect(text.count < 600)
  }
}
