import FlowDefinition
@testable import FunnelMetrics
@testable import FunnelReport
import ReferenceEvaluator
@testable import ReportText
import Testing

/// A release that breaks the onboarding, for the same people as before it.
struct BrokenReleaseTests {
  private static let text = """
    flow: app
    steps: [welcome, done]
    dimensions: [os, app_version, {id: release, path: flow_version}]
    """

  /// 200 persons, half of them on each system; of each version every fifth or two of five fail.
  private static func recorded(_ releases: [(version: String, persons: Int, failures: Int)])
    async throws -> RecordedReport
  {
    var lines: [String] = []
    for release in releases {
      for person in 0..<release.persons {
        let ids = """
          "user_id":"u\(release.version)-\(person)","flow_version":"\(release.version)",\
          "context":{"os":"\(person % 2 == 0 ? "iOS" : "Android")",\
          "app_version":"\(release.version)"}
          """
        let time = 1_767_600_000 + person
        lines.append(#"{"event":"onboarding_started","timestamp":\#(time),\#(ids)}"#)
        if person / 2 % 5 >= release.failures {
          lines.append(#"{"event":"onboarding_completed","timestamp":\#(time + 60),\#(ids)}"#)
        }
      }
    }
    let flow = try FlowParser.parse(text, file: "app.yaml").flow
    let options = ReferenceOptions(asOfMilliseconds: 1_770_000_000_000)
    let found = try await Evaluated(files: [lines], flow: flow, options: options)
    let report = Report(found.analysis, provenance: Provenance(programVersion: "0"))
    let json = try #require(report.documents().first { $0.name == "metrics.json" })
    return try RecordedReport(bytes: json.bytes)
  }

  private static func causes(_ comparison: RunComparison) throws -> [String: MixAndRate] {
    let place = try #require(
      comparison.changes.firstIndex { $0.metric == .completionRate })
    return Dictionary(
      comparison.causes[place].map { ($0.dimensions.joined(separator: "+"), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func parts(_ cause: MixAndRate?) -> [Double]? {
    cause.map { [$0.mix, $0.rate, $0.newKinds].map { ($0 * 1000).rounded() / 1000 } }
  }

  @Test func `a broken release is no matter of who came`() async throws {
    let before = try await Self.recorded([("1.0", 200, 1)])
    let after = try await Self.recorded([("1.1", 200, 2)])
    let causes = try Self.causes(RunComparison(before, after))
    // People of the same system did worse; their app version is a kind that only one side has.
    #expect(Self.parts(causes["os"]) == [0, -0.2, 0])
    #expect(Self.parts(causes["app_version"]) == [0, 0, -0.2])
    #expect(Self.parts(causes["os+app_version"]) == [0, 0, -0.2])
    // The flow's own version is what people met.
    #expect(causes["release"] == nil && causes["version"] == nil)
    let text = RunComparison(before, after).text(style: TerminalStyle())
    let said = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      said.contains("of the people are of kinds that only one side has: before 1.0; after 1.1"))
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of($0) <= 80 })
    let asked = try Self.causes(RunComparison(before, after, takesVersions: true))
    #expect(Self.parts(asked["release"]) == [0, 0, -0.2])
    #expect(Self.parts(asked["version"]) == [0, 0, -0.2])
  }

  @Test func `half a rollout moves neither mix nor rate of the others`() async throws {
    let before = try await Self.recorded([("1.0", 200, 1)])
    let after = try await Self.recorded([("1.0", 100, 1), ("1.1", 100, 3)])
    let causes = try Self.causes(RunComparison(before, after))
    #expect(Self.parts(causes["app_version"]) == [0, 0, -0.2])
    #expect(Self.parts(causes["os"]) == [0, -0.2, 0])
  }
}
