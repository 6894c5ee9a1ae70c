import FlowDefinition
import Foundation

/// Reads the text of one case.
struct CaseReader {
  let name: String
  let previousFlow: Flow?

  private enum Section {
    case none, flow, events, expected
  }

  private var section = Section.none
  private var why = ""
  private var flowName: String?
  private var flowLines: [String] = []
  private var optionWords: [String] = []
  private var eventLines: [String] = []
  private var expectedLines: [String] = []

  init(name: String, previousFlow: Flow?) {
    self.name = name
    self.previousFlow = previousFlow
  }

  mutating func read(_ text: String) throws -> CaseFile {
    for line in text.components(separatedBy: "\n") { try sort(line) }
    guard !why.isEmpty else { throw mistake(text, "a case says why") }
    let flow = try flow()
    var file = CaseFile(
      name: name, why: why, flow: flow, options: ReferenceOptions(), lines: [], expected: [],
      expectedQuality: [:])
    file.options = try options(flow)
    file.lines = try eventLines.map { line in
      guard let event = CaseEvent(line) else { throw mistake(line, "no event") }
      return event.json
    }
    for line in expectedLines { try expect(line, in: &file) }
    return file
  }

  func mistake(_ line: String, _ reason: String) -> CaseFile.Mistake {
    CaseFile.Mistake(file: name, line: line, reason: reason)
  }

  private mutating func sort(_ line: String) throws {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    if line.hasPrefix("why:") {
      why = String(line.dropFirst(4)).trimmingCharacters(in: .whitespaces)
    } else if line.hasPrefix("flow:") {
      section = .flow
      let inline = String(line.dropFirst(5)).trimmingCharacters(in: .whitespaces)
      flowName = inline.isEmpty ? nil : inline
    } else if line.hasPrefix("options:") {
      optionWords = line.dropFirst(8).split(separator: " ").map(String.init)
    } else if line.hasPrefix("events:") {
      section = .events
    } else if line.hasPrefix("----") {
      section = .expected
    } else if trimmed.isEmpty || trimmed.hasPrefix("#") {
      return
    } else {
      switch section {
      case .flow: flowLines.append(line)
      case .events: eventLines.append(trimmed)
      case .expected: expectedLines.append(trimmed)
      case .none: throw mistake(line, "outside any block")
      }
    }
  }

  private func flow() throws -> Flow {
    if let flowName { return try CaseFlow.named(flowName) }
    if flowLines.isEmpty {
      guard let previousFlow else { throw mistake(name, "no flow") }
      return previousFlow
    }
    return try CaseFlow.parse(flowLines.joined(separator: "\n"), file: name)
  }

  private func options(_ flow: Flow) throws -> ReferenceOptions {
    var options = ReferenceOptions()
    for word in optionWords {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw mistake(word, "an option is name=value") }
      let instant = CaseEvent.time(parts[1])
      switch parts[0] {
      case "as-of":
        options.asOfMilliseconds =
          instant ?? ReferenceTime.endOfDate(parts[1], timeZone: flow.timeZone)
      case "from": options.fromMilliseconds = instant
      case "history-from": options.historyFromMilliseconds = instant
      case "to": options.toMilliseconds = instant
      case "cohort": options.cohort = CohortUnit(rawValue: parts[1]) ?? .week
      default: throw mistake(word, "no such option")
      }
    }
    return options
  }

  /// `metric[step] {slice} = 1/2`, `quality name = 3` or `horizon = +5d`.
  private func expect(_ line: String, in file: inout CaseFile) throws {
    guard let equals = line.range(of: " = ", options: .backwards) else {
      throw mistake(line, "no ` = `")
    }
    let value = line[equals.upperBound...].trimmingCharacters(in: .whitespaces)
    let left = line[..<equals.lowerBound].trimmingCharacters(in: .whitespaces)
    if left == "horizon" {
      file.expectedHorizonMilliseconds = CaseEvent.time(value)
    } else if left.hasPrefix("quality ") {
      file.expectedQuality[String(left.dropFirst(8))] = Int(value)
    } else {
      file.expected.append(try row(left, value, line))
    }
  }

  private func row(_ left: String, _ value: String, _ line: String) throws
    -> CaseFile.ExpectedRow
  {
    let pattern = #/([a-z0-9_]+)(?:\[(.*?)\])?\s*(?:\{(.*)\})?/#
    guard let match = left.wholeMatch(of: pattern)?.output else {
      throw mistake(line, "no metric")
    }
    var row = ReferenceRow(
      metric: String(match.1), step: match.2.map(String.init) ?? "all", numerator: 0)
    for part in (match.3 ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard pair.count == 2 else { throw mistake(line, "a slice is name=value") }
      switch pair[0] {
      case "version": row.version = pair[1]
      case "variant":
        let names = pair[1].split(separator: ":", maxSplits: 1).map(String.init)
        row.experiment = names[0]
        row.variant = names.last ?? ""
      case "cohort": row.cohort = pair[1]
      case "breakdown": row.breakdown = pair[1]
      default: throw mistake(line, "no such column")
      }
    }
    if value == "none" { return CaseFile.ExpectedRow(row: row, isAbsent: true) }
    let numbers = value.split(separator: "/").map { Int($0) }
    guard let numerator = numbers.first ?? nil, numbers.count <= 2 else {
      throw mistake(line, "no number")
    }
    row.numerator = numerator
    row.denominator = numbers.count == 2 ? numbers[1] : nil
    return CaseFile.ExpectedRow(row: row, isAbsent: false)
  }
}
