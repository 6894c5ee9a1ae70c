import ReportText
import Synchronization

/// Says, once a run, that the data end long before `--as-of`: who would have come back since then
/// counts as not having come back.
final class AsOfNotice: Sendable {
  private let said = Mutex<String?>(nil)
  private let option = Mutex(true)

  /// Whether somebody gave the option, and not a watch the day.
  var namesOption: Bool {
    get { option.withLock { $0 } }
    set { option.withLock { $0 = newValue } }
  }

  /// What was said; `nil` where there was no reason to.
  var text: String? { said.withLock { $0 } }

  /// - Parameters:
  ///   - days: how many whole days the data end before it.
  ///   - latest: the last moment of the last date on which enough people have facts, none of which
  ///     is misdated for being late, in milliseconds; `nil` without facts.
  func tell(_ asOf: String, _ days: Int, _ latest: Int64?) {
    guard let latest, days > 0 else { return }
    let days = CountText.of(days, "day")
    let moment = namesOption ? "--as-of \(asOf)" : asOf
    let text =
      "\(moment) is \(days) after the last events of more than a few people "
      + "(\(Moment.text(latest))): all who have not "
      + "come back by then count as not having come back"
    let isFirst = said.withLock { said in
      defer { said = text }
      return said == nil
    }
    if isFirst { Console.message(text) }
  }
}
