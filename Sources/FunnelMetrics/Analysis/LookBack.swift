internal import ReportText

/// How far back a report knew people before they entered: who is an existing user, and who begins
/// once more, depends on it.
package enum LookBack {
  /// Whether two look-backs, in whole days, find existing users alike: they differ by a day or a
  /// tenth of the longer at most. One that is not known says nothing.
  package static func areAlike(_ one: Int?, _ other: Int?) -> Bool {
    guard let one, let other else { return true }
    return abs(one - other) * 10 <= max(10, one, other)
  }

  /// Why two numbers can't be compared.
  package static func difference(_ own: Int, _ other: Int, of name: String) -> String {
    "the data of this run begin \(beginning(own)), those of \(name) begin "
      + "\(beginning(other)): the longer one knows people before they start, the more "
      + "existing users are found. Set 'history' in the flow file to what both have, "
      + "or begin both with --history-from"
  }

  /// `12 days before the first start`: where the data begin, and how far back people are known.
  package static func beginning(_ lookBackDays: Int) -> String {
    lookBackDays == 0
      ? "with the first start" : "\(CountText.of(lookBackDays, "day")) before the first start"
  }
}
