internal import ReportText

// When the people of a report started, by its options.
extension RecordedReport {
  /// The day of `--from`, since 1970-01-01; `nil` without one.
  var startsFrom: Int? { options?["from"].flatMap { InstantReader.day($0) } }

  /// Whether everyone started before anyone of another report did: people count once, at a start.
  func endsBefore(_ other: RecordedReport) -> Bool {
    guard let to = options?["to"], let from = other.options?["from"],
      flow.id == other.flow.id
    else { return false }
    if let to = InstantReader.day(to), let from = InstantReader.day(from) { return to <= from }
    if let to = InstantReader.milliseconds(to), let from = InstantReader.milliseconds(from) {
      return to <= from
    }
    return false
  }
}
