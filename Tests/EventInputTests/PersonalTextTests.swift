import EventInput
import Foundation
import Testing

/// Personal text is found by what it looks like, and nothing else is taken for it.
struct PersonalTextTests {
  /// A line of Fixtures/personal-text.txt.
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: String
    var path: String
    var values: [String]
    var testDescription: String { "\(kind) \(path) \(values[0])" }
  }

  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/personal-text.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "; ", maxSplits: 2).map(String.init)
      return Case(
        kind: parts[0], path: parts[1],
        values: parts[2].split(separator: " | ").map(String.init))
    }
  }()

  private static let syllables = ["ba", "ko", "ri", "mu", "len", "tas", "dor", "vi"]

  /// Words that are all different.
  private static func word(_ number: Int) -> String {
    let places = [number & 7, number >> 3 & 7, number >> 6 & 7]
    return "gr" + places.map { syllables[$0] }.joined()
  }

  private static func value(_ template: String, _ number: Int) -> String {
    var text = template.replacingOccurrences(of: "{n}", with: String(10 + number))
    text = text.replacingOccurrences(
      of: "{k}", with: String(["太郎", "花子", "健", "一郎"][number % 4]) + "明美和子"[number / 4 % 4])
    for (place, mark) in ["{w}", "{w}", "{w}", "{W}", "{W}"].enumerated() {
      let word = word(number * 5 + place)
      if let range = text.range(of: mark) {
        text.replaceSubrange(range, with: mark == "{w}" ? word : word.capitalized)
      }
    }
    return text
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  /// Events with a value each at a path.
  private static func lines(_ test: Case) -> [String] {
    (0..<60).map { number in
      let keys = test.path.split(separator: ".").map { quoted(String($0)) }
      let value = quoted(value(test.values[number % test.values.count], number))
      let member = keys.reversed().reduce(value) { "{\($1):\($0)}" }.dropFirst().dropLast()
      let id = test.path == "user_id" ? "" : "\"user_id\":\"u\(number)\","
      return """
        {"event":"started",\(id)"timestamp":"2026-01-21T10:00:00.\(100 + number)Z",\(member)}
        """
    }
  }

  private static func found(
    _ lines: [String], limit: Int = 1000, redacting paths: [String] = []
  ) throws -> [PersonalProperty] {
    var plan = TestPlan.plan()
    plan.redaction.paths = RedactedPaths(paths)
    let sampling = PropertySampling(limit: limit)
    plan.sampling = sampling
    _ = try scan(lines.joined(separator: "\n") + "\n", plan: plan)
    return sampling.findings(plan).personal
  }

  @Test(arguments: cases)
  func `a property is taken for what it is`(_ test: Case) throws {
    let found = try Self.found(Self.lines(test))
    #expect(found.map(\.kind.rawValue) == (test.kind == "none" ? [] : [test.kind]))
    #expect(found.allSatisfy { $0.path == test.path })
    #expect(found.allSatisfy { $0.events > 0 && $0.events <= $0.sampledEvents })
    #expect(found.allSatisfy { $0.isIdentifier == (test.path == "user_id") })
  }

  @Test func `every kind has a case`() {
    let kinds = Set(Self.cases.map(\.kind))
    #expect(kinds == Set(PersonalTextKind.allCases.map(\.rawValue) + ["none"]))
  }

  @Test func `a redacted property is not looked at`() throws {
    let test = Case(kind: "email_address", path: "properties.user.mail", values: ["{w}@x.example"])
    let lines = Self.lines(test)
    #expect(try Self.found(lines).map(\.path) == ["properties.user.mail"])
    for path in ["properties.user.mail", "properties.user", "properties.user.*"] {
      #expect(try Self.found(lines, redacting: [path]).isEmpty, "\(path)")
    }
    #expect(try Self.found(lines, redacting: ["properties.user.name"]).count == 1)
  }

  @Test func `values in lists are found under the path of the list`() throws {
    let lines = (0..<20).map { number in
      line(
        "\"properties\":{\"friends\":[{\"mail\":\"a\(number)@x.example\"}],\"n\":[\(number)]}",
        id: "u\(number)")
    }
    #expect(try Self.found(lines).map(\.path) == ["properties.friends.mail"])
  }

  @Test func `a key that is an address is no part of the path`() throws {
    let lines = (0..<20).map { number in
      line("\"properties\":{\"seen\":{\"anna\(number)@x.example\":1}}", id: "u\(number)")
    }
    let found = try Self.found(lines)
    #expect(found.map(\.path) == ["properties.seen.*"])
    #expect(found.map(\.kind) == [.emailAddress])
    #expect(try Self.found(lines, redacting: ["properties.seen.*"]).isEmpty)
  }

  @Test func `the sample does not depend on order, repetition and cuts`() throws {
    let test = Case(
      kind: "free_text", path: "properties.note",
      values: ["{W} and {w} are {w}"])
    let lines = Self.lines(test)
    let whole = try Self.found(lines, limit: 25)
    #expect(whole.map(\.sampledEvents) == [25])
    #expect(try Self.found(lines.reversed(), limit: 25) == whole)
    #expect(try Self.found(lines + lines, limit: 25) == whole)
    var plan = TestPlan.plan()
    let sampling = PropertySampling(limit: 25)
    plan.sampling = sampling
    for part in [lines[40...], lines[..<7], lines[7..<40]] {
      _ = try scan(part.joined(separator: "\n"), plan: plan)
    }
    #expect(sampling.findings(plan).personal == whole)
    #expect(try Self.found(lines, limit: 24) != whole)
  }

  @Test func `events of one time are sampled by their lines`() throws {
    let lines = (0..<300).map {
      line("\"properties\":{\"mail\":\"a\($0)@x.example\"}", id: "u\($0)")
    }
    let whole = try Self.found(lines, limit: 10)
    #expect(whole.map(\.events) == [10])
    #expect(try Self.found(lines.reversed(), limit: 10) == whole)
  }
}

extension String {
  fileprivate subscript(_ index: Int) -> String { String(Array(self)[index]) }
}
