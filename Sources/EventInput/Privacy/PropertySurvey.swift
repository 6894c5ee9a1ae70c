extension PropertySampling {
  /// The properties of the sampled events that look like personal text, by their paths.
  ///
  /// - Parameter plan: what was read by; what it drops is not looked at.
  public func personalProperties(_ plan: ScanPlan) -> [PersonalProperty] { findings(plan).personal }

  /// Beside these properties the crawlers that the events name, those with the most events first.
  public func findings(
    _ plan: ScanPlan
  ) -> (personal: [PersonalProperty], crawlers: [SampledCrawler]) {
    var survey = PropertySurvey(plan)
    for line in sampledLines { survey.add(line) }
    return (survey.findings, survey.foundCrawlers)
  }
}

/// Looks at all properties of some events for what is about people and no number needs.
struct PropertySurvey {
  /// What the plan does with a format's paths.
  private struct Places {
    let format: EventFormat
    let described: DescribedNames
    let used: Set<String>
    let identifiers: Set<String>
    /// Where the id of an event's person stands, the likeliest first.
    let people: [String]
    let redacted: RedactedPaths
  }

  private let plan: ScanPlan
  private var places: [EventFormat.Name: Places] = [:]
  private var profiles: [String: PropertyProfile] = [:]
  private var used: Set<String> = []
  private var identifiers: Set<String> = []
  private var events = 0
  /// Paths that were met, by the object that they lie in: keys without end are values.
  private var members: [String: Set<String>] = [:]
  private var crawlers = CrawlerCount()

  private static let maximumMembers = 200

  init(_ plan: ScanPlan) { self.plan = plan }

  mutating func add(_ line: SampledLine) {
    let places = places(line.format)
    guard
      let scalars = JSONFlattener.scalars(
        of: line.bytes, format: places.format, depth: .everything)
    else { return }
    events += 1
    let person = person(scalars, places)
    crawlers.add(scalars) { places.redacted.reaches($0) }
    // In a fixed order: which paths are taken together depends on which came first.
    for (path, text) in scalars.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      if places.redacted.reaches(path) { continue }
      let shown = shown(path, places)
      profiles[shown, default: PropertyProfile(path: shown)].add(text, person: person)
    }
  }

  /// Those with the most events first.
  var foundCrawlers: [SampledCrawler] { crawlers.found }

  /// By path.
  var findings: [PersonalProperty] {
    profiles.compactMap { path, profile in
      profile.verdict.map { verdict in
        PersonalProperty(
          path: path, kind: verdict.kind, events: verdict.events, sampledEvents: events,
          isUsed: used.contains(path), isIdentifier: identifiers.contains(path))
      }
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// By which path people know a value. What any schema's event says is a property.
  private mutating func shown(_ path: String, _ places: Places) -> String {
    guard let any = places.described.anyPath(path) else {
      return places.used.contains(path) ? path : collapsed(path)
    }
    let property = "properties\(any.drop { $0 != "." })"
    guard places.used.contains(path) || places.used.contains(any) else {
      return collapsed(property)
    }
    used.insert(property)
    return property
  }

  /// The path with `*` for a key of an object that has very many.
  private mutating func collapsed(_ path: String) -> String {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return path }
    let parent = String(path[..<dot])
    if members[parent]?.contains(path) == true { return path }
    if members[parent, default: []].count >= Self.maximumMembers { return "\(parent).*" }
    members[parent, default: []].insert(path)
    return path
  }

  /// Whose event it is, as a hash.
  private func person(_ scalars: [String: String], _ places: Places) -> UInt64 {
    var text = places.people.lazy.compactMap { scalars[$0] }.first ?? ""
    return text.withUTF8 { PropertySampling.hash.hash(UnsafeRawBufferPointer($0)).low }
  }

  private mutating func places(_ name: EventFormat.Name) -> Places {
    if let known = places[name] { return known }
    let format = EventFormat.named(name)
    let fields = plan.reading(as: format).fields.filter { $0.constant == nil }
    func paths(_ role: FieldRule.Role) -> [String] {
      fields.filter { $0.role == role }.map { $0.path.joined(separator: ".") }
    }
    let distinct = format.mixedIdentity.map { [$0.distinct.joined(separator: ".")] } ?? []
    let people = paths(.user) + distinct + paths(.device)
    let made = Places(
      format: format, described: .of(name),
      used: Set(fields.map { $0.path.joined(separator: ".") } + distinct),
      identifiers: Set(people + paths(.session) + paths(.otherUser)), people: people,
      redacted: plan.redactedPaths.places(in: format))
    places[name] = made
    used.formUnion(made.used)
    identifiers.formUnion(made.identifiers)
    return made
  }
}
