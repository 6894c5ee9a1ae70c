import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import Testing
import Timelines

/// What a dump is about, whatever flow is asked for.
struct FactCensusTests {
  private static func line(
    _ event: String, user: String, second: Int, page: String? = nil, flow: String? = nil
  ) -> String {
    let page = page.map { ",\"properties\":{\"page_name\":\"\($0)\"}" } ?? ""
    let flow = flow.map { ",\"flow\":\"\($0)\"" } ?? ""
    return """
      {"event":"\(event)","user_id":"\(user)","timestamp":\(1_770_000_000 + second)\(page)\(flow)}
      """
  }

  private static func census(_ lines: [String], threads: Int) async throws -> FactCensus {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A line a file, so that threads meet names in other orders.
    let sources = try lines.enumerated().map { index, line in
      let file = folder.appendingPathComponent("\(index).ndjson")
      try Data((line + "\n").utf8).write(to: file)
      return InputSource.file(file.path)
    }
    let flow = try FlowFile.load("trendy")
    let reader = TimelineLoader(schema: try FactSchema(flows: [flow]), threads: threads)
    return try FactCensus(try await reader.read(sources, rejects: nil).timelines)
  }

  private static let lines: [String] =
    (0..<3).flatMap { person in
      [
        line("onboarding_started", user: "u\(person)", second: person, flow: "other"),
        line(
          "onboarding_page_viewed", user: "u\(person)", second: person + 10, page: "hello",
          flow: "other"),
        line("opened", user: "u\(person)", second: person + 20),
      ]
    } + [
      line("onboarding_page_viewed", user: "u1", second: 12, page: "bye", flow: "another"),
      // A clock that is years ahead.
      line("opened", user: "u2", second: 90_000_000),
    ]

  @Test(arguments: [1, 4]) func namesAreCountedMostFrequentFirst(threads: Int) async throws {
    // A repetition is no second fact.
    let found = try await Self.census(Self.lines + [Self.lines[0]], threads: threads)
    typealias Count = FactCensus.Count
    #expect(found.facts == 11)
    #expect(found.flows == [Count(name: "other", facts: 6), Count(name: "another", facts: 1)])
    #expect(found.pages == [Count(name: "hello", facts: 3), Count(name: "bye", facts: 1)])
    #expect(
      found.events == [
        Count(name: "onboarding_page_viewed", facts: 4), Count(name: "opened", facts: 4),
        Count(name: "onboarding_started", facts: 3),
      ])
    #expect(found.milliseconds == 1_770_000_000_000...1_770_000_022_000)
  }

  @Test func nothingIsCountedInNothing() async throws {
    #expect(try await Self.census(["no json"], threads: 1) == FactCensus())
  }
}
