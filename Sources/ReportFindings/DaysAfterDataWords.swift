package import FunnelMetrics
internal import ReportText

/// What a report says of days behind the end of the data that somebody calls complete: who would
/// have gone on or come back on them counts as not having done so.
package struct DaysAfterDataWords {
  package let days: Int

  /// `nil` where the data reach up to the moment that was chosen, or to within a day of it.
  package init?(_ provenance: Provenance) {
    guard provenance.daysAfterData > 0 else { return nil }
    days = provenance.daysAfterData
  }

  package var claim: String {
    "The data end \(CountText.of(days, "day")) before the end date that was chosen."
  }

  package var detail: String {
    "All who would have finished or come back since then count as not having done so. If data "
      + "are missing, load them; else choose an earlier end date."
  }

  package var note: String {
    "from the end of the data to the end date that was chosen: nobody can have come back"
  }
}
