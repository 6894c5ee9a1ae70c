internal import EventInput
internal import FlowDefinition

/// One spelling for each name in a sample (definitions 1.8): where some rows say `10` and others
/// `10.0`, or some `true` and others `True`, a draft has one page, variant or version of them.
///
/// A path's values are looked at together. Numbers lose the zeros behind their point where the path
/// has the number without them too, or has no number with a fraction. Truth values get their most
/// frequent word where the path has no other text.
enum SampledSpellings {
  static func unify(_ events: inout [SampledEvent]) {
    var counts: [String: [String: Int]] = [:]
    for event in events {
      for (path, text) in event.scalars where counts[path] == nil && isOther(text) {
        counts[path] = [:]
      }
    }
    guard !counts.isEmpty else { return }
    for event in events {
      for path in counts.keys {
        if let text = event.scalars[path] { counts[path]?[text, default: 0] += 1 }
      }
    }
    let names = counts.mapValues(names).filter { !$0.value.isEmpty }
    for index in events.indices {
      for (path, names) in names {
        guard let text = events[index].scalars[path], let name = names[text] else { continue }
        events[index].replace(path, with: name)
      }
    }
  }

  /// Whether a text may be another spelling of a name.
  private static func isOther(_ text: String) -> Bool {
    NameSpellings.wholeNumber(spelledBy: text) != nil
      || text != "true" && text != "false" && NameSpellings.truthValue(spelledBy: text) != nil
  }

  /// The names of those values of a path that are other spellings of them.
  private static func names(_ counts: [String: Int]) -> [String: String] {
    let numbers = counts.keys.compactMap { text in
      NameSpellings.wholeNumber(spelledBy: text).map { (text, $0) }
    }
    let isWhole = !counts.keys.contains(where: isFraction)
    let names = Dictionary(numbers.filter { isWhole || counts[$0.1] != nil }) { first, _ in first }
    let truths = Dictionary(grouping: counts) { NameSpellings.truthValue(spelledBy: $0.key) }
    return truths[nil] == nil
      ? truths.values.reduce(into: names) { $0.merge(words($1)) { _, word in word } } : names
  }

  /// The most frequent of several words for one truth value, by each of the others; none where a
  /// flow could name neither of them for all (`1` and `yes`).
  private static func words(_ counts: [(key: String, value: Int)]) -> [String: String] {
    let words = counts.filter { !isNumber($0.key) && !NameSpellings.others(of: $0.key).isEmpty }
    // Of two as frequent ones `true` before `True`.
    guard let name = words.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else {
      return [:]
    }
    return Dictionary(counts.filter { $0.key != name }.map { ($0.key, name) }) { first, _ in first }
  }

  private static func isNumber(_ text: String) -> Bool { text.first?.isNumber == true }

  private static func isFraction(_ text: String) -> Bool {
    Double(text) != nil && Int(text) == nil && NameSpellings.wholeNumber(spelledBy: text) == nil
  }
}
