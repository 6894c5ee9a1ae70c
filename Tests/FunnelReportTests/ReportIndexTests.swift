import FlowDefinition
import Foundation
import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import Testing

@Suite("The index over several reports")
struct ReportIndexTests {
  private func entry(_ folder: String, day: String? = nil) throws -> IndexEntry {
    var entry = IndexEntry(try DemoReport.ordinary(), folder: folder, day: day)
    entry.flow = String(folder.prefix { $0 != "/" })
    return entry
  }

  private func index(_ entries: [IndexEntry]) -> ReportIndex {
    var index = ReportIndex(programVersion: "1")
    for entry in entries { index.add(entry) }
    return index
  }

  @Test func `what was written is read back, and makes the same bytes`() throws {
    let first = index([try entry("b"), try entry("a/2026-01-02", day: "2026-01-02")])
    let documents = first.documents()
    let json = try #require(documents.first { $0.name == "index.json" })
    let again = try ReportIndex(json: Data(json.bytes), programVersion: "1")
    #expect(again.entries == first.entries)
    #expect(again.documents() == documents)
  }

  @Test(arguments: ["", "[]", "{}", "{\"schema\":\"other\",\"reports\":[]}"])
  func `what is no index is refused`(text: String) {
    #expect(throws: ReportIndex.NoIndex.self) {
      try ReportIndex(json: Data(text.utf8), programVersion: "1")
    }
  }

  @Test func `days stand in order whatever the order in which they came`() throws {
    let names = ["2026-01-03", "2026-01-01", "2026-01-02"]
    let days = try names.map { (day: String) in try entry("a/\(day)", day: day) }
    let folders = ["a/2026-01-01", "a/2026-01-02", "a/2026-01-03"]
    #expect(index(days).entries.map(\.folder) == folders)
    #expect(index(days + days).entries.count == 3)
    #expect(index(days.reversed()).documents() == index(days).documents())
  }

  @Test func `unreliable data come before missed targets, and these before decisions`() throws {
    var (bad, missed, ready, calm) = (
      try entry("a"), try entry("b"), try entry("c"), try entry("d")
    )
    bad.grade = "D"
    (missed.grade, ready.grade, calm.grade) = ("B", "B", "A")
    missed.targets = .init(met: 1, missed: 1, undecided: 0, total: 2)
    ready.targets = nil
    calm.targets = nil
    ready.isReady = true
    calm.isReady = false
    let all = index([calm, ready, missed, bad])
    #expect(all.latest.map(\.flow) == ["a", "b", "c", "d"])
    #expect(ReportWords.indexHeadline(all).hasSuffix("fix the data before deciding anything"))
    #expect(ReportWords.indexHeadline(index([missed])).contains("misses 1 of its 2 targets"))
    #expect(ReportWords.indexHeadline(index([ready])).hasSuffix("an experiment can be decided"))
  }

  @Test func `targets are counted by what the data say of them`() throws {
    var flow = try DemoFlow.flow()
    var nobody = try #require(flow.targets.first)
    nobody.slice = [NameMapping(from: "breakdown", to: "os=Symbian")]
    flow.targets.append(nobody)
    let report = try DemoReport.ordinary(flow)
    let verdicts = TargetCheck.all(report.analysis).map(\.verdict)
    let targets = try #require(IndexEntry(report, folder: "a").targets)
    #expect(verdicts.last == .unknown && targets.unknown == 1)
    #expect(targets.undecided == verdicts.count { $0 == .unclear })
  }

  @Test func `a target without data is neither met nor undecided`() throws {
    var entry = try entry("a")
    entry.grade = "A"
    entry.isReady = false
    entry.targets = .init(met: 1, missed: 0, undecided: 0, total: 3)
    #expect(
      ReportWords.indexHeadline(index([entry]))
        == "No flow is seen to miss a target; 2 targets have no data")
    let targets = try #require(entry.targets)
    #expect(ReportWords.verdicts(targets) == "1 of 3 met, 2 without data")
    #expect(IndexPage(index([entry])).text().contains("No data"))
  }

  @Test func `an address leads to the folder whatever its name`() throws {
    #expect(IndexPage.address(try entry("aiq")) == "./aiq/report.html")
    let strange = IndexPage.address(try entry("a:b \"ü%"))
    #expect(strange == "./a%3Ab%20%22%C3%BC%25/report.html")
    let url = try #require(URL(string: strange, relativeTo: URL(string: "file:///x/index.html")))
    #expect(url.absoluteURL.path == "/x/a:b \"ü%/report.html")
  }

  @Test func `a sparkline keeps to its scale`() {
    let points = [0, 0.5, 2].enumerated().map {
      IndexEntry.Point(cohort: "c\($0)", value: $1, low: nil, high: nil)
    }
    let markup = Sparkline(points: points, top: 1, target: 0.5, description: "d").markup
    #expect(markup?.text.contains("points=\"0.0,31.0 50.0,16.0 100.0,1.0\"") == true)
    #expect(markup?.text.contains("y1=\"16.0\"") == true)
    #expect(Sparkline(points: [points[0]], top: 1, target: nil, description: "d").markup == nil)
  }
}
