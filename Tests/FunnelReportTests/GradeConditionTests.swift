import Foundation
@testable import FunnelReport
@testable import ReportFindings
import Testing

/// The conditions of the data's grade against their table in the definitions.
struct GradeConditionTests {
  private static let definitions = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/definitions.md")

  /// The cells of each row of section 16, by the names in its first cell.
  private static func rows() throws -> [String: [String]] {
    let text = try String(contentsOf: definitions, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## 16. The data's grade").last)
    var rows: [String: [String]] = [:]
    for line in section.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      for name in cells[1].matches(of: /`([a-z_]+)`/) { rows[String(name.1)] = Array(cells[3...6]) }
    }
    return rows
  }

  private static func bound(_ cell: String) -> Double? {
    if cell.isEmpty { return nil }
    if cell == "any" || cell == "none" { return 0 }
    return Double(cell.replacing(" %", with: "")).map { $0 / 100 }
  }

  @Test(arguments: GradeCondition.allCases)
  func `the definitions have each condition with its bounds`(condition: GradeCondition) throws {
    let cells = try #require(try Self.rows()[condition.rawValue], "\(condition.rawValue)")
    let bounds = condition.bounds
    for (cell, bound) in zip(cells, [bounds.b, bounds.c, bounds.d, bounds.f]) {
      #expect(Self.bound(cell) == bound, "\(condition.rawValue): \(cell)")
    }
  }

  @Test func `the definitions have no condition besides`() throws {
    #expect(Set(try Self.rows().keys) == Set(GradeCondition.allCases.map(\.rawValue)))
  }

  @Test(arguments: GradeCondition.allCases)
  func `a grade falls as its share grows`(condition: GradeCondition) {
    guard condition != .events, condition != .personsWithOnboarding else {
      #expect(condition.grade(0, of: 10) == .f && condition.grade(1, of: 10) == .a)
      return
    }
    let grades = stride(from: 0, through: 10_000, by: 7).map { condition.grade($0, of: 10_000) }
    #expect(grades.first == .a && grades == grades.sorted())
    #expect(condition.grade(10_000, of: 10_000) > .a)
    #expect(condition.grade(1, of: nil) > .a)
  }
}
