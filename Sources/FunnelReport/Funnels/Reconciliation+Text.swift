internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

extension Reconciliation {
  /// The page for a terminal.
  public func text() -> String {
    var lines: [String] = []
    if start.entered == 0 && end.entered == 0 {
      lines.append("Nobody entered the funnel, by either tool's rules.")
    } else if agrees {
      lines.append(
        "\(first.rawValue) and \(second.rawValue) agree on this data: \(Self.words(start))")
    } else {
      lines += [
        "\(first.rawValue): \(Self.words(start))", "\(second.rawValue): \(Self.words(end))",
      ]
    }
    if parts.isEmpty && withoutEffect.isEmpty {
      lines += ["", "They count this funnel by the same rules."]
    }
    if !parts.isEmpty {
      lines += waterfall("Entered", start.entered, end.entered) { $0.entered }
      lines += waterfall("Finished", start.finished, end.finished) { $0.finished }
      lines += ["", "What each rule is for \(first.rawValue), and for \(second.rawValue):"]
      lines += parts.map { rule($0.change) }
    }
    if !withoutEffect.isEmpty {
      lines += ["", "Rules that differ without an effect on this data:"]
      lines += withoutEffect.map(rule)
    }
    if parts.count > 1 {
      lines += [
        "",
        "Each rule has its mean effect over all orders in which the rules can be changed (Shapley",
        "values), so a part need not be a whole number of people. The parts add up exactly.",
      ]
    }
    return lines.map { SafeText.name($0, limit: 400) }.joined(separator: "\n") + "\n"
  }

  private func rule(_ change: FunnelRuleChange) -> String {
    "  \(change.rawValue): \(change.words(first.rules, for: funnel)) -> "
      + change.words(second.rules, for: funnel)
  }

  private static func words(_ totals: FunnelTotals) -> String {
    let share =
      totals.entered == 0
      ? nil : RateText.finePercent(Double(totals.finished) / Double(totals.entered))
    return "\(totals.finished) of \(totals.entered) finish" + (share.map { ", \($0)" } ?? "")
  }

  private static let columns = 32

  /// From the first tool's number to the second's, a line a rule.
  private func waterfall(
    _ title: String, _ start: Int, _ end: Int, _ part: (Part) -> Int
  ) -> [String] {
    let moves = parts.map(part)
    var levels = [start * 100]
    for move in moves { levels.append((levels.last ?? 0) + move) }
    let (low, high) = (levels.min() ?? 0, levels.max() ?? 0)
    if low == high { return ["", "\(title): no difference"] }
    // Where the differences are small, bars from 0 would not show them.
    let axis = (high - low) * 8 < high ? low - (high - low) / 4 : 0
    func column(_ level: Int) -> Int { (level - axis) * Self.columns / max(1, high - axis) }
    func line(_ name: String, _ number: String, _ bar: String) -> String {
      "  " + Self.padded(name, right: 12) + Self.padded(number, left: 12) + "  " + bar
    }
    func total(_ name: String, _ count: Int) -> String {
      line(name, NumberText.grouped(count), Self.repeated("█", column(count * 100)))
    }
    var lines = ["", axis > 0 ? "\(title) (bars begin at \(Self.people(axis)))" : title]
    lines.append(total(first.rawValue, start))
    for (index, move) in moves.enumerated() {
      let (from, to) = (levels[index], levels[index + 1])
      let (left, right) = (column(min(from, to)), column(max(from, to)))
      let width = move == 0 ? 0 : max(1, right - left)
      lines.append(
        line(
          parts[index].change.rawValue, Self.signed(move),
          Self.repeated(" ", min(left, Self.columns - width))
            + Self.repeated(move > 0 ? "+" : "-", width)))
    }
    lines.append(total(second.rawValue, end))
    return lines
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: max(0, count))
  }

  private static func padded(_ text: String, right width: Int) -> String {
    text + repeated(" ", width - text.count)
  }

  private static func padded(_ text: String, left width: Int) -> String {
    repeated(" ", width - text.count) + text
  }

  /// Hundredths of a person as people; two digits after the point unless they are whole.
  private static func people(_ hundredths: Int, grouped: Bool = true) -> String {
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let fraction = rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    let digits = grouped ? NumberText.grouped(whole) : "\(whole)"
    return (hundredths < 0 ? "-" : "") + digits + fraction
  }

  private static func signed(_ hundredths: Int) -> String {
    (hundredths > 0 ? "+" : "") + people(hundredths)
  }

  /// The reconciliation as JSON, for programs.
  public func json() -> String {
    func object(_ totals: FunnelTotals) -> String {
      JSONText.object([("entered", "\(totals.entered)"), ("finished", "\(totals.finished)")])
    }
    func object(_ change: FunnelRuleChange, _ entered: Int, _ finished: Int) -> String {
      JSONText.object([
        ("rule", JSONText.string(change.rawValue)),
        ("first", JSONText.string(change.words(first.rules, for: funnel))),
        ("second", JSONText.string(change.words(second.rules, for: funnel))),
        ("entered", Self.people(entered, grouped: false)),
        ("finished", Self.people(finished, grouped: false)),
      ])
    }
    let rules = parts.map { object($0.change, $0.entered, $0.finished) }
    return JSONText.block(
      [
        ("schema", "2"), ("first", JSONText.string(first.rawValue)),
        ("second", JSONText.string(second.rawValue)), ("method", JSONText.string("shapley")),
        ("agrees", agrees ? "true" : "false"), ("start", object(start)), ("end", object(end)),
        ("rules", JSONText.lines(rules, indent: "  ")),
        (
          "without_effect",
          JSONText.lines(withoutEffect.map { object($0, 0, 0) }, indent: "  ")
        ),
      ], indent: "") + "\n"
  }
}
