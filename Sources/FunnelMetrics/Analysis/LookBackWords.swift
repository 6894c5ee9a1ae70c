package import FunnelEngine
internal import ReportText

extension LookBack {
  /// Why two numbers can't be compared.
  package static func difference(_ own: LookBack, _ other: LookBack, of name: String) -> String {
    "the data of this run begin \(own.beginning), those of \(name) begin "
      + "\(other.beginning): the longer one knows people before they start, the more "
      + "existing users are found. Set 'history' in the flow file to what both have, "
      + "or begin both as long before their first start, with --history-from"
  }

  /// `12 days before the first start`: where the data begin, and how far back people are known.
  package var beginning: String {
    if knowsEveryone { return "with the app's first users" }
    return days == 0
      ? "with the first start" : "\(CountText.of(days, "day")) before the first start"
  }
}
