public import FlowDefinition
public import FunnelEngine
internal import ReportText

extension PersonExplanation {
  /// One person's timeline and reasons for a terminal.
  ///
  /// - Parameters:
  ///   - person: the id that was asked for.
  ///   - horizonMilliseconds: the moment up to which the data are complete.
  ///   - all: whether to write every fact; else of a long timeline its beginning, its end and what
  ///     decided, and how many facts are left out between.
  ///   - write: takes the text, part by part.
  public func write(
    flow: Flow, person: String, horizonMilliseconds: Int64, all: Bool = false,
    to write: (String) -> Void
  ) {
    write(
      "\(SafeText.name(person)) in flow \(SafeText.name(flow.id)), "
        + "up to \(Self.instant(horizonMilliseconds)) UTC (horizon)\n\n")
    let lines = lines
    var text = ""
    var next = 0
    for range in all ? [0..<lines.count] : shownLines(first: 500, last: 500, around: 5) {
      text += Self.gap(range.lowerBound - next)
      for index in range {
        text += Self.row(lines[index])
        if text.utf8.count >= 1 << 16 {
          write(text)
          text.removeAll(keepingCapacity: true)
        }
      }
      next = range.upperBound
    }
    text += Self.gap(lines.count - next) + "\n"
    for reason in reasons { text += "  • \(SafeText.name(reason, limit: 1000))\n" }
    write(text + "\n")
  }

  /// What is shown of a long timeline: its beginning, its end, and what is around what decided.
  func shownLines(first: Int, last: Int, around: Int) -> [Range<Int>] {
    let count = lines.count
    if count <= first + last { return [0..<count] }
    var ranges = [0..<first]
    let decisive = lines.decisive.map { max(0, $0 - around)..<min(count, $0 + around + 1) }
    for range in decisive + [count - last..<count] {
      let end = ranges[ranges.count - 1].upperBound
      if range.upperBound <= end { continue }
      if range.lowerBound <= end {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  private static func gap(_ facts: Int) -> String {
    facts <= 0
      ? "" : "  … \(NumberText.grouped(facts)) facts are left out; --all shows them …\n"
  }

  private static func row(_ line: Line) -> String {
    var columns = [instant(line.timeMilliseconds)]
    columns.append(padded(line.sinceEntryMilliseconds.map(offset) ?? "", 14))
    columns.append(padded(SafeText.name(line.event), 26))
    let details = line.details.map { SafeText.name($0) }.joined(separator: " ")
    let notes = line.notes.isEmpty ? "" : "  ← " + line.notes.joined(separator: ", ")
    return "  " + columns.joined(separator: "  ") + details + notes + "\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  static func instant(_ milliseconds: Int64) -> String {
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

  static func offset(_ milliseconds: Int64) -> String {
    let size = abs(milliseconds)
    let days = size / 86_400_000
    let time = days >= 2 ? "\(days)d \(size / 3_600_000 % 24)h" : clock(size)
    return (milliseconds < 0 ? "−" : "+") + time
  }
}
