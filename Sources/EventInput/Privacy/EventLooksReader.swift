/// Looks at the values of sampled events, so that they need not be kept.
struct EventLooksReader {
  /// What the plan does with a format's paths.
  private struct Places {
    let format: EventFormat
    let described: DescribedNames
    /// Where the id of an event's person stands, the likeliest first.
    let people: [String]
    let redacted: RedactedPaths
  }

  /// What is known of a path, in one place, so that no list of looks is copied.
  private final class Known {
    let isRedacted: Bool
    let recognizer: PersonalTextRecognizer
    /// For the path with `*` for its last key; `nil` where that makes no difference.
    let ofMembers: PersonalTextRecognizer?
    /// By the hash of the value: most values occur often.
    var looks: [UInt64: (own: PropertyLook, member: PropertyLook)] = [:]

    init(
      isRedacted: Bool, recognizer: PersonalTextRecognizer, ofMembers: PersonalTextRecognizer?
    ) {
      (self.isRedacted, self.recognizer, self.ofMembers) = (isRedacted, recognizer, ofMembers)
    }
  }

  private struct PathOfFormat: Hashable {
    let format: EventFormat.Name
    let path: String
  }

  private let plan: ScanPlan
  private let digestBits: Int
  private var places: [EventFormat.Name: Places] = [:]
  private var known: [PathOfFormat: Known] = [:]
  private var crawlers = CrawlerSearch()

  init(_ plan: ScanPlan, limit: Int) {
    self.plan = plan
    digestBits = PropertySample.digestBits(of: limit)
  }

  mutating func looks(of line: SampledLine) -> SampledEventLooks? {
    let places = places(line.format)
    guard
      let scalars = JSONFlattener.scalars(
        of: line.bytes, format: places.format, depth: .everything)
    else { return nil }
    let crawler = crawlers.crawler(in: scalars) { places.redacted.reaches($0) }
    var properties: [SampledEventLooks.Property] = []
    properties.reserveCapacity(scalars.count)
    for (path, text) in scalars {
      if let property = property(path, text, places) { properties.append(property) }
    }
    // In a fixed order: which paths are taken together depends on which came first.
    properties.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    let ids = places.people.lazy.compactMap { scalars[$0] }
    let person = digest(hash(ids.first { !IdentifierKey.isMissing($0) } ?? ""))
    return SampledEventLooks(
      rank: line.rank, hash: line.hash, format: line.format, person: person, crawler: crawler,
      properties: properties)
  }

  private mutating func property(
    _ path: String, _ text: String, _ places: Places
  ) -> SampledEventLooks.Property? {
    let known = known(path, places)
    if known.isRedacted { return nil }
    let value = hash(text)
    let looks: (own: PropertyLook, member: PropertyLook)
    if let found = known.looks[value] {
      looks = found
    } else {
      let bytes = Array(text.utf8)
      let own = PropertyLook(text, bytes, known.recognizer)
      looks = (own, known.ofMembers.map { PropertyLook(text, bytes, $0) } ?? own)
      known.looks[value] = looks
    }
    let isNothing = looks.own == .none && looks.member == .none
    return SampledEventLooks.Property(
      path: path, value: isNothing ? 0 : digest(value), look: looks.own, memberLook: looks.member)
  }

  private mutating func known(_ path: String, _ places: Places) -> Known {
    let key = PathOfFormat(format: places.format.name, path: path)
    if let known = known[key] { return known }
    let plain = PropertySurvey.plain(path, places.described)
    let name = PropertyName(plain)
    let members = PropertySurvey.parent(of: plain).map { PropertyName("\($0).*") }
    let made = Known(
      isRedacted: places.redacted.reaches(path), recognizer: PersonalTextRecognizer(name),
      ofMembers: members.flatMap { $0.hint == name.hint ? nil : PersonalTextRecognizer($0) })
    known[key] = made
    return made
  }

  private func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { unsafe PropertySampling.hash.hash(UnsafeRawBufferPointer($0)).low }
  }

  private func digest(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> UInt64(64 - digestBits))
  }

  private mutating func places(_ name: EventFormat.Name) -> Places {
    if let known = places[name] { return known }
    let format = EventFormat.named(name)
    let made = Places(
      format: format, described: .of(name), people: UsedPaths(plan, format).people,
      redacted: plan.redaction.paths.places(in: format))
    places[name] = made
    return made
  }
}
