/// What the sampled values of one property are like, without the values: it keeps their hashes.
struct PropertyProfile {
  /// Some of a property's values.
  private struct Group {
    var events = 0
    var values: Set<UInt64> = []
    var persons: Set<UInt64> = []

    mutating func add(_ value: UInt64, _ person: UInt64) {
      events += 1
      values.insert(value)
      persons.insert(person)
    }

    /// A value that several people have is not personal: the address of the support, a key of the
    /// app.
    var isConstant: Bool { values.count == 1 && persons.count >= 3 }
  }

  /// What one value looks like.
  private struct Look {
    var finding: PersonalTextRecognizer.Finding?
    var isTyped = false
    var isLong = false
    var isFullName = false
    var isStreet = false
  }

  private let recognizer: PersonalTextRecognizer
  /// By the hash of the value: most values occur often.
  private var looks: [UInt64: Look] = [:]
  private var all = Group()
  private var certain: [PersonalTextKind: Group] = [:]
  private var possible: [PersonalTextKind: Group] = [:]
  /// Texts of several words.
  private var typed = Group()
  private var long = Group()
  private var fullNames = 0
  private var streets = 0

  init(path: String) {
    recognizer = PersonalTextRecognizer(PropertyName(path))
  }

  mutating func add(_ text: String, person: UInt64) {
    let bytes = Array(text.utf8)
    let value = bytes.withUnsafeBytes { PropertySampling.hash.hash($0).low }
    let look: Look
    if let known = looks[value] {
      look = known
    } else {
      look = self.look(text, bytes)
      looks[value] = look
    }
    all.add(value, person)
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

  private func look(_ text: String, _ bytes: [UInt8]) -> Look {
    let shape = TextShape(text)
    if let finding = recognizer.finding(in: bytes, shape) { return Look(finding: finding) }
    guard shape.isLetters, shape.words >= 2, !Self.isOfMachine(text) else { return Look() }
    return Look(
      isTyped: true, isLong: shape.isLong && shape.words >= 8, isFullName: shape.isLikeFullName,
      isStreet: shape.isLikeStreet)
  }

  /// Browsers' names for themselves, and paths of files.
  private static func isOfMachine(_ text: String) -> Bool {
    text.hasPrefix("Mozilla/") || text.hasPrefix("/")
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
        group.events * of >= all.events * least, !recognizer.name.isOfApp
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
      return group.events * 2 >= all.events && group.values.count >= min(2, all.persons.count)
        && group.values.count * 10 >= min(group.persons.count, 200)
    case .paymentCard: return group.events * 2 >= all.events
    default: return true
    }
  }

  /// Texts of several words that hardly repeat: typed by people, and not chosen from a list.
  private var freeText: (kind: PersonalTextKind, events: Int)? {
    let name = recognizer.name
    if name.isOfApp { return nil }
    // A list's values repeat from person to person; those of one person may repeat on every event.
    let people = max(min(all.events, all.persons.count), all.events / 5)
    let isVaried = typed.values.count * 2 >= people
    let isText =
      name.isTyped
      ? typed.values.count >= 5 && typed.events * 5 >= all.events
      : typed.values.count >= 10 && typed.events * 2 >= all.events
    let isLongText = long.values.count >= 3 && long.events * 10 >= all.events * 3
    guard isVaried && (isText || isLongText) else { return nil }
    if name.isName && fullNames * 10 >= typed.events * 8 { return (.personName, typed.events) }
    if streets * 2 >= typed.events { return (.postalAddress, typed.events) }
    return (.freeText, typed.events)
  }
}
