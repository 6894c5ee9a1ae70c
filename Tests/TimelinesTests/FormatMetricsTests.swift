import EventInput
import FirstMileSimulation
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import FunnelReport
import Testing
import Timelines

/// The same persons, written as each vendor writes them, have the same metrics.
@Suite struct FormatMetricsTests {
  @Test(arguments: [("aiq", true), ("trendy", false)])
  func `every format gives the same bytes of metrics`(app: String, wholeSeconds: Bool) async throws
  {
    let flow = try FlowFile.load(app)
    var plan = SimulationPlan(flow: flow, persons: 40, seed: 11)
    plan.files = 2
    plan.wholeSeconds = wholeSeconds
    plan.rates.broken = 0.01
    var texts: [DumpFormat: String] = [:]
    var reasons: [DumpFormat: [String: Int]] = [:]
    for format in DumpFormat.allCases {
      plan.format = format
      let dump = try Self.read(plan)
      let (timelines, summaries) = try await dump.value
      #expect(summaries.map(\.format.rawValue) == [format.rawValue, format.rawValue])
      let analysis = try await LinesInFiles.analysis(timelines, flow, threads: 1)
      let provenance = Provenance(
        programVersion: "0", sources: [], rejectsByReason: [:], lines: 0, events: 0,
        timestampsWithoutOffset: 0, timelineCounts: [:], horizonMilliseconds: nil, options: [:],
        maximumRejectRate: 1)
      let report = Report(analysis, provenance: provenance)
      texts[format] = report.documents().first { $0.name == "metrics.csv" }?.text
      for summary in summaries {
        for (reason, count) in summary.rejectsByReason {
          reasons[format, default: [:]][reason.rawValue, default: 0] += count
        }
      }
    }
    let expected = try #require(texts[.canonical])
    #expect(expected.utf8.count > 10_000)
    for format in DumpFormat.allCases {
      #expect(texts[format] == expected, "\(format)")
      #expect(reasons[format] == reasons[.canonical], "\(format)")
    }
  }

  private static func read(
    _ plan: SimulationPlan
  ) throws -> Task<(Timelines, [SourceSummary]), any Error> {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-formats-\(UUID().uuidString)")
    _ = try Simulator(plan).run(to: folder.path)
    return Task {
      defer { try? FileManager.default.removeItem(at: folder) }
      let reader = TimelineLoader(schema: try FactSchema(flows: [plan.flow]), threads: 1)
      let read = try await reader.read(
        InputExpansion.expand([folder.path]).sources, rejects: nil)
      return (read.timelines, read.summaries)
    }
  }
}
