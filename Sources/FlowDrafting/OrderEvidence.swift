internal import EventInput

/// What the order of people's events says about each kind of event: whether people have it once and
/// early, as they have what belongs to an onboarding, and what it comes before and after.
struct OrderEvidence {
  /// What is known of one kind.
  struct Entry {
    let kind: EventKind
    /// People who have it.
    var people = 0
    /// … and have it exactly once.
    var once = 0
    /// … and have all of it within a day.
    var withinOneDay = 0
    /// … and have it first within a day of their first event.
    var early = 0
    /// People for whom it is the first of the kinds that happen once.
    var first = 0
    /// People for whom none of those kinds follows within the day.
    var last = 0
    /// People who did something else between it and the kind before.
    var detached = 0

    /// Whether people have it as they have a part of an onboarding: once, and early.
    func isSetup(leastPeople: Int) -> Bool {
      let leastOnce = kind.page == nil ? 60 : 40
      return people >= leastPeople && withinOneDay * 100 >= people * 80
        && once * 100 >= people * leastOnce && early * 100 >= people * 50
    }
  }

  static let dayMilliseconds: Int64 = 86_400_000
  /// Within so much an event of the same kind is the one before, sent once more.
  private static let repeatMilliseconds: Int64 = 2_000

  let peopleCount: Int
  /// The kinds that people have once and early.
  private(set) var entries: [Entry] = []
  /// How many people have any of them.
  private(set) var setupPeople = 0
  private(set) var order = PageOrder()
  private var indexOfKind: [EventKind: Int] = [:]
  /// Kinds that most people have between the first few of the kinds that happen once: they go with
  /// the onboarding, as views of screens without a name and taps on buttons do.
  private var companions: Set<EventKind> = []

  /// - Parameter kind: the kind of an event; `nil` for one that is none.
  init(_ timelines: SampledTimelines, kind: (SampledEvent) -> EventKind?) {
    peopleCount = timelines.people.count
    let kinds = timelines.people.map { person in
      var last: [EventKind: Int64] = [:]
      return person.compactMap { event -> (kind: EventKind, at: Int64)? in
        guard let own = kind(event) else { return nil }
        let before = last.updateValue(event.timeMilliseconds, forKey: own)
        // An app that sends an event twice shows one.
        let isRepeated = before.map { event.timeMilliseconds - $0 <= Self.repeatMilliseconds }
        return isRepeated == true ? nil : (own, event.timeMilliseconds)
      }
    }
    findSetup(kinds)
    findCompanions(kinds)
    for person in kinds { follow(person) }
    let others = looseKinds.union(detachedKinds)
    if others.isEmpty { return }
    // What belongs to the use of the app neither begins nor ends an onboarding.
    keep { !others.contains($0.kind) }
    for person in kinds { follow(person) }
  }

  /// Forgets what was counted, and all other kinds.
  private mutating func keep(_ isKept: (Entry) -> Bool) {
    entries = entries.filter(isKept)
    for index in entries.indices {
      (entries[index].first, entries[index].last, entries[index].detached) = (0, 0, 0)
    }
    indexOfKind = [:]
    for (index, entry) in entries.enumerated() { indexOfKind[entry.kind] = index }
    order = PageOrder()
    setupPeople = 0
  }

  /// Events behind the last one that has its place among all others, which people have in any
  /// order: things to do in an app, of which data of a few days show each once.
  private var looseKinds: Set<EventKind> {
    func isLoose(_ entry: Entry) -> Bool {
      entry.kind.page == nil
        && entries.contains { other in
          other.kind != entry.kind && other.kind.page == nil
            && both(entry.kind, other.kind) >= max(3, entry.people / 10)
            && (0.2...0.8).contains(share(entry.kind, before: other.kind) ?? 0)
        }
    }
    return Set(ordered.reversed().prefix { isLoose($0) }.map(\.kind))
  }

  /// Kinds before which people mostly do something else, unlike the others.
  private var detachedKinds: Set<EventKind> {
    func share(_ entry: Entry) -> Double { Double(entry.detached) / Double(max(1, entry.people)) }
    let shares = entries.map(share).sorted()
    guard !shares.isEmpty else { return [] }
    let usual = shares[(shares.count - 1) / 2]
    return Set(entries.filter { share($0) >= max(0.5, usual + 0.3) }.map(\.kind))
  }

  private mutating func findSetup(_ people: [[(kind: EventKind, at: Int64)]]) {
    var found: [EventKind: Entry] = [:]
    for person in people {
      guard let beginning = person.first?.at else { continue }
      var times: [EventKind: (first: Int64, last: Int64, count: Int)] = [:]
      for event in person {
        let known = times[event.kind] ?? (event.at, event.at, 0)
        times[event.kind] = (known.first, event.at, known.count + 1)
      }
      for (kind, seen) in times {
        var entry = found[kind] ?? Entry(kind: kind)
        entry.people += 1
        if seen.count == 1 { entry.once += 1 }
        if seen.last - seen.first <= Self.dayMilliseconds { entry.withinOneDay += 1 }
        if seen.first - beginning <= Self.dayMilliseconds { entry.early += 1 }
        found[kind] = entry
      }
    }
    let least = max(min(2, peopleCount), peopleCount / 100)
    entries = found.values.filter { $0.isSetup(leastPeople: least) }
      .sorted { ($1.people, $0.kind) < ($0.people, $1.kind) }
      .prefix(PageOrder.maximumPages).map { $0 }
    for (index, entry) in entries.enumerated() { indexOfKind[entry.kind] = index }
  }

  private mutating func findCompanions(_ people: [[(kind: EventKind, at: Int64)]]) {
    // Behind the first half there may be things to do in the app that people do once, and those may
    // be more than the onboarding has.
    let few = min(4, max(2, entries.count / 2))
    var counts: [EventKind: Int] = [:]
    var followed = 0
    for person in people {
      var known: Set<EventKind> = []
      var between: Set<EventKind> = []
      for (kind, _) in person where known.count < few {
        if indexOfKind[kind] != nil {
          known.insert(kind)
        } else if !known.isEmpty {
          between.insert(kind)
        }
      }
      guard known.count == few else { continue }
      followed += 1
      for kind in between { counts[kind, default: 0] += 1 }
    }
    companions = Set(counts.filter { $0.value * 2 >= followed }.keys)
  }

  /// Follows one person through the day after their first kind that happens once.
  private mutating func follow(_ person: [(kind: EventKind, at: Int64)]) {
    guard let start = person.first(where: { indexOfKind[$0.kind] != nil })?.at else { return }
    var seen: Set<EventKind> = []
    var sequence: [Int] = []
    var isDetached = false
    for event in person where event.at >= start && event.at - start <= Self.dayMilliseconds {
      guard let index = indexOfKind[event.kind] else {
        if !companions.contains(event.kind) { isDetached = true }
        continue
      }
      if seen.insert(event.kind).inserted {
        if isDetached && !sequence.isEmpty { entries[index].detached += 1 }
        sequence.append(index)
      }
      isDetached = false
    }
    setupPeople += 1
    order.add(sequence.map { Self.name(entries[$0].kind) })
    if let first = sequence.first { entries[first].first += 1 }
    if let last = sequence.last { entries[last].last += 1 }
  }

  private static func name(_ kind: EventKind) -> String {
    "\(kind.event)\u{0}\(kind.page ?? "")"
  }

  /// The kinds in their usual order.
  var ordered: [Entry] {
    let byName = Dictionary(entries.map { (Self.name($0.kind), $0) }) { first, _ in first }
    return order.ordered.compactMap { byName[$0.page] }
  }

  /// Of the people who have both kinds in their first day, the share who have the one first; `nil`
  /// where nobody has both.
  func share(_ one: EventKind, before other: EventKind) -> Double? {
    order.share(Self.name(one), before: Self.name(other))
  }

  /// How many people have both.
  func both(_ one: EventKind, _ other: EventKind) -> Int {
    order.both(Self.name(one), Self.name(other))
  }
}
