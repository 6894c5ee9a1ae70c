public import FlowDefinition
public import FunnelEngine

extension PersonExplanation {
  /// One person's timeline and reasons for a terminal.
  ///
  /// - Parameters:
  ///   - person: the id that was asked for.
  ///   - horizonMilliseconds: the moment up to which the data are complete.
  public func text(flow: Flow, person: String, horizonMilliseconds: Int64) -> String {
    var text = "\(PlainText.line(person)) in flow \(flow.id), "
    text += "up to \(Self.instant(horizonMilliseconds)) UTC (horizon)\n\n"
    for line in lines {
      var columns = [Self.instant(line.timeMilliseconds)]
      columns.append(Self.padded(line.sinceEntryMilliseconds.map(Self.offset) ?? "", 14))
      columns.append(Self.padded(PlainText.line(line.event), 26))
      let details = line.details.map { PlainText.line($0) }.joined(separator: " ")
      let notes = line.notes.isEmpty ? "" : "  ← " + line.notes.joined(separator: ", ")
      text += "  " + columns.joined(separator: "  ") + details + notes + "\n"
    }
    text += "\n"
    for reason in reasons { text += "  • \(PlainText.line(reason))\n" }
    return text + "\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func instant(_ milliseconds: Int64) -> String {
    let day = Int(milliseconds / 86_400_000)
    let date = CivilCalendar.label(ofDay: day, unit: .day)
    return date + " " + clock(milliseconds % 86_400_000)
  }

  private static func clock(_ milliseconds: Int64) -> String {
    let parts = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
    let time = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let fraction = String(milliseconds % 1000)
    return time + "." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  private static func offset(_ milliseconds: Int64) -> String {
    let size = abs(milliseconds)
    let days = size / 86_400_000
    let time = days >= 2 ? "\(days)d \(size / 3_600_000 % 24)h" : clock(size)
    return (milliseconds < 0 ? "−" : "+") + time
  }
}

/// Text from events on its way to a screen: no control characters, no endless lines.
enum PlainText {
  static func line(_ text: String, limit: Int = 120) -> String {
    let scalars = text.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
    }
    let clean = String(String.UnicodeScalarView(scalars))
    return clean.count > limit ? clean.prefix(limit - 1) + "…" : clean
  }
}
