internal import EventInput
internal import ExperimentStatistics

/// Whether a property that is called like a variant was assigned by chance, as far as timelines can
/// show it: it is there when people begin, its shares are those of every day, and they do not
/// depend on what people did before. People's own choices fail at least one of these.
struct ChanceEvidence {
  /// One person with one value.
  private struct Person {
    var value: String
    var saidAt: Int64
    var isSaidInTime: Bool
    /// Events before the value was known, and what the device is.
    var before: Set<String>
  }

  private var people: [Person] = []

  /// Shares differ below this chance of them: one comparison in 30,000 of a healthy experiment.
  private static let leastChance = 1.0 / 30_000
  private static let blocks = 8
  /// Fewer people in a part of the data show nothing of its shares.
  private static let leastPeople = 30
  private static let most = 40

  /// - Parameters:
  ///   - events: one person's, in order.
  ///   - place: of the first event that says the value.
  ///   - value: the person's only one.
  ///   - isBeginning: whether an event begins the onboarding.
  mutating func add(
    _ events: [SampledEvent], saidAt place: Int, value: String,
    isBeginning: (SampledEvent) -> Bool
  ) {
    let at = events[place].timeMilliseconds
    let beginning = events.first(where: isBeginning)?.timeMilliseconds
    var before = Set(events[..<place].map { "e" + $0.event })
    for path in ["context.os", "context.locale", "context.country"] {
      if let known = events[place].value(path) { before.insert("\(path)=\(known)") }
    }
    people.append(
      Person(
        value: value, saidAt: at,
        isSaidInTime: NameHint.isAssignment(events[place].event)
          || at <= beginning ?? events[0].timeMilliseconds,
        before: before))
  }

  /// What speaks against chance, in words that end a sentence; `nil` where nothing does.
  var doubt: String? {
    let inTime = people.filter(\.isSaidInTime).count
    if inTime * 10 < people.count * 9 {
      return "only \(RoleRanking.grouped(inTime)) of \(RoleRanking.grouped(people.count)) people "
        + "have it when they begin, as with something that people choose"
    }
    return inequality { _ in true }
  }

  /// What speaks against chance in what a tool or the app itself calls an experiment. When a
  /// variant is first said is a matter of the tool, and what people did before it is, too.
  var doubtOfNamed: String? { inequality { !$0.hasPrefix("e") } }

  private func inequality(_ isWanted: (String) -> Bool) -> String? {
    if Self.differ(daily) { return "its shares change over time" }
    var counts: [String: Int] = [:]
    for person in people {
      for mark in person.before where isWanted(mark) { counts[mark, default: 0] += 1 }
    }
    let marks = counts.filter {
      $0.value >= Self.leastPeople && people.count - $0.value >= Self.leastPeople
    }
    for (mark, _) in marks.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) })
      .prefix(Self.most)
    {
      let parts = [true, false].map { has in
        counted(people.filter { $0.before.contains(mark) == has })
      }
      guard Self.differ(parts) else { continue }
      let name = HiddenText.shown(mark.hasPrefix("e") ? String(mark.dropFirst()) : mark)
      return "its shares differ between people with and without '\(name)' before it"
    }
    return nil
  }

  private func counted(_ people: [Person]) -> [String: Int] {
    Dictionary(people.map { ($0.value, 1) }, uniquingKeysWith: +)
  }

  /// The values in some equal parts of the people, by when theirs was first said; those of one
  /// moment, such as all of a date, in the order in which they came.
  private var daily: [[String: Int]] {
    let ordered = people.enumerated().sorted { left, right in
      (left.element.saidAt, left.offset) < (right.element.saidAt, right.offset)
    }.map(\.element)
    let parts = min(Self.blocks, ordered.count / Self.leastPeople)
    guard parts > 1 else { return [] }
    return (0..<parts).map { part in
      counted(Array(ordered[ordered.count * part / parts..<ordered.count * (part + 1) / parts]))
    }
  }

  /// Whether the parts' shares of the values differ by more than chance explains.
  private static func differ(_ parts: [[String: Int]]) -> Bool {
    let values = Set(parts.flatMap(\.keys)).sorted()
    let test = ChiSquareTest.homogeneity(parts.map { part in values.map { part[$0] ?? 0 } })
    return test.value.map { $0.pValue < leastChance } ?? false
  }
}
