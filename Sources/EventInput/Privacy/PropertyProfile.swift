/// What the sampled values of one property are like, without the values.
struct PropertyProfile {
  /// Some of a property's values.
  private struct Group {
    var events = 0
    var values: Set<UInt32> = []
    var persons: Set<UInt32> = []

    mutating func add(_ value: UInt32, _ person: UInt32) {
      events += 1
      values.insert(value)
      persons.insert(person)
    }

    /// A value that several people have is not personal: the address of the support, a key of the
    /// app.
    var isConstant: Bool { values.count == 1 && persons.count >= 3 }
  }

  private let name: PropertyName
  private var events = 0
  private var persons: Set<UInt32> = []
  private var certain: [PersonalTextKind: Group] = [:]
  private var possible: [PersonalTextKind: Group] = [:]
  /// Texts of several words.
  private var typed = Group()
  private var long = Group()
  private var fullNames = 0
  private var streets = 0

  init(path: String) { name = PropertyName(path) }

  /// - Parameters:
  ///   - look: what a value looks like.
  ///   - value: its digest.
  ///   - person: a digest of whose it is.
  mutating func add(_ look: PropertyLook, value: UInt32, person: UInt32) {
    events += 1
    persons.insert(person)
    switch look.finding {
    case .certain(let kind): certain[kind, default: Group()].add(value, person)
    case .possible(let kind): possible[kind, default: Group()].add(value, person)
    case nil:
      if look.isTyped { typed.add(value, person) }
      if look.isLong { long.add(value, person) }
      if look.isFullName { fullNames += 1 }
      if look.isStreet { streets += 1 }
    }
  }

  /// What the property looks like, and in how many events; `nil` if like nothing personal.
  var verdict: (kind: PersonalTextKind, events: Int)? {
    for kind in PersonalTextKind.allCases {
      if let group = certain[kind], isShown(group, kind) { return (kind, group.events) }
    }
    for kind in PersonalTextKind.allCases {
      // One in ten numbers of a card's length has the right check digit, and some begin like one.
      let (least, of) = kind == .paymentCard ? (1, 2) : (4, 5)
      guard let group = possible[kind], group.values.count >= 3,
        group.events * of >= events * least, !name.isOfApp
      else { continue }
      return (kind, group.events)
    }
    return freeText
  }

  private func isShown(_ group: Group, _ kind: PersonalTextKind) -> Bool {
    if group.isConstant { return false }
    switch kind {
    case .personName, .postalAddress, .dateOfBirth:
      // Nearly all values have such a shape, and there are not only a few for everybody.
      return group.events * 2 >= events && group.values.count >= min(2, persons.count)
        && group.values.count * 10 >= min(group.persons.count, 200)
    case .paymentCard: return group.events * 2 >= events
    default: return true
    }
  }

  /// Texts of several words that hardly repeat: typed by people, and not chosen from a list.
  private var freeText: (kind: PersonalTextKind, events: Int)? {
    if name.isOfApp { return nil }
    // A list's values repeat from person to person; those of one person may repeat on every event.
    let people = max(min(events, persons.count), events / 5)
    let isVaried = typed.values.count * 2 >= people
    let isText =
      name.isTyped
      ? typed.values.count >= 5 && typed.events * 5 >= events
      : typed.values.count >= 10 && typed.events * 2 >= events
    let isLongText = long.values.count >= 3 && long.events * 10 >= events * 3
    guard isVaried && (isText || isLongText) else { return nil }
    if name.isName && fullNames * 10 >= typed.events * 8 { return (.personName, typed.events) }
    if streets * 2 >= typed.events { return (.postalAddress, typed.events) }
    return (.freeText, typed.events)
  }
}
