import FlowDefinition
import Foundation
import Testing

/// The names of metrics that don't compile where they are wrong, against what they are called.
@Suite struct MetricNameTests {
  private static func file(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The constants as they stand in the source, by their Swift names.
  private static func constants() throws -> [(swift: String, name: MetricName)] {
    let text = try file("Sources/FlowDefinition/Metrics/MetricName+Constants.swift")
    let found = text.matches(of: #/static let (\w+) = MetricName\(\s*rawValue: "(\w+)"\)/#)
      .map { (swift: String($0.output.1), name: MetricName(rawValue: String($0.output.2))) }
    try #require(found.count == text.matches(of: /static let/).count)
    return found
  }

  @Test func `every constant is called like its metric`() throws {
    for (swift, name) in try Self.constants() {
      let words = swift.replacing(#/([a-z0-9])([A-Z])/#) { "\($0.output.1)_\($0.output.2)" }
        .replacing(#/([A-Z])([A-Z][a-z])/#) { "\($0.output.1)_\($0.output.2)" }
      #expect(words.lowercased() == name.rawValue, "\(swift)")
    }
  }

  @Test func `the catalogue has every constant once, and they are all that it has`() throws {
    let names = try Self.constants().map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(names) == Set(MetricCatalog.fixed))
    #expect(MetricCatalog.fixed.count == names.count)
  }

  @Test func `docs/metrics.md describes every constant`() throws {
    let text = try Self.file("docs/metrics.md")
    for name in try Self.constants().map(\.name) {
      // `incidence_skipped` stands there as `_skipped`, and `permission_class_denied` as one of
      // seven.
      let parts = name.rawValue.split(separator: "_").map(String.init)
      let shortened = [
        "`\(name)`", "`\(name)_…`", "`_\(parts.dropFirst().joined(separator: "_"))`",
        "`\(parts.prefix(2).joined(separator: "_"))_…`",
      ]
      #expect(shortened.contains { text.contains($0) }, "\(name)")
    }
  }

  @Test func `a flow's own metrics are made of its measures`() throws {
    let flow = try FlowParser.parse(
      """
      flow: f
      steps: [a, b]
      experiments: {e: {control: p, variants: [p, q]}}
      goals: [{id: g, event: paid, of: {viewed: a}}]
      retention: [{days: [1, 7]}, {days: [3], anchor: {event: paid}}]
      """, file: "f.yaml"
    ).flow
    let catalog = MetricCatalog(flow)
    let names: [MetricName] = [
      .retention(day: 1), .retention(flow.retention[1]), .retention("d7").ofCommonCohort,
      .retention(flow.retention[2]).overall, .timeToComplete.percentile(90),
      .timeOnStep.numberOfValues, .goalRate.overall, .goalRateOverall.compared(by: .lift),
    ]
    for name in names { #expect(catalog.kind(of: name) != nil, "\(name)") }
    #expect(MetricName.goalRate.overall == .goalRateOverall)
    #expect(catalog.kind(of: .retention(day: 2)) == nil)
  }

  @Test(arguments: MetricName.Comparison.allCases)
  func `a comparison is taken apart into what it was made of`(how: MetricName.Comparison) {
    let compared = MetricName.completionRate.compared(by: how)
    #expect(compared.rawValue == "\(how.rawValue)_completion_rate")
    #expect(compared.comparison == how)
    #expect(compared.comparedNumber == .completionRate)
    #expect(MetricName.permissionOptIn.comparison == nil)
  }

  @Test func `a name is a plain string in JSON, and as a key of an object`() throws {
    let rates: [MetricName: [MetricName]] = [.completionRate: [.skipRate]]
    let text = try JSONEncoder().encode(rates)
    #expect(String(decoding: text, as: UTF8.self) == #"{"completion_rate":["skip_rate"]}"#)
    #expect(try JSONDecoder().decode([MetricName: [MetricName]].self, from: text) == rates)
  }
}
