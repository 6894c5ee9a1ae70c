extension PropertySampling {
  /// What the sampled events look like.
  ///
  /// - Parameter plan: what was read by; what it drops is not looked at.
  public func sample(_ plan: ScanPlan) -> PropertySample {
    var reader = EventLooksReader(plan, limit: limit)
    return PropertySample(limit: limit, events: sampledLines.compactMap { reader.looks(of: $0) })
  }

  /// What is personal text or a crawler's among the sampled events.
  ///
  /// - Parameter plan: what was read by; what it drops is not looked at.
  public func findings(_ plan: ScanPlan) -> SampleFindings { sample(plan).findings(plan) }
}

/// Looks at all properties of some events for what is about people and no number needs.
struct PropertySurvey {
  private struct Places {
    let described: DescribedNames
    let used: Set<String>

    func uses(_ path: String) -> Bool {
      used.contains(path) || described.anyPath(path).map(used.contains) == true
    }
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

  mutating func add(_ event: SampledEventLooks) {
    events += 1
    crawlers.add(event.crawler)
    let places = places(event.format)
    for property in event.properties {
      let path = property.path
      let name = Self.plain(path, places.described)
      let isUsed = places.uses(path)
      let shown = isUsed ? name : collapsed(name)
      if isUsed { used.insert(shown) }
      profiles[shown, default: PropertyProfile(path: shown)].add(
        shown == name ? property.look : property.memberLook, value: property.value,
        person: event.person)
    }
  }

  /// What was found so far.
  var findings: SampleFindings {
    var findings = SampleFindings()
    findings.sampledEvents = events
    findings.crawlers = crawlers.found
    findings.personal = profiles.compactMap { path, profile in
      profile.verdict.map { verdict in
        PersonalProperty(
          path: path, kind: verdict.kind, events: verdict.events, sampledEvents: events,
          isUsed: used.contains(path), isIdentifier: identifiers.contains(path))
      }
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return findings
  }

  /// By which path people know a value. What any schema's event says is a property.
  static func plain(_ path: String, _ described: DescribedNames) -> String {
    described.anyPath(path).map { "properties\($0.drop { $0 != "." })" } ?? path
  }

  /// The object that a path's value lies in.
  static func parent(of path: String) -> Substring? {
    path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[..<$0] }
  }

  /// The path with `*` for a key of an object that has very many.
  private mutating func collapsed(_ path: String) -> String {
    guard let parent = Self.parent(of: path).map(String.init) else { return path }
    if members[parent]?.contains(path) == true { return path }
    if members[parent, default: []].count >= Self.maximumMembers { return "\(parent).*" }
    members[parent, default: []].insert(path)
    return path
  }

  private mutating func places(_ name: EventFormat.Name) -> Places {
    if let known = places[name] { return known }
    let paths = UsedPaths(plan, EventFormat.named(name))
    let made = Places(described: .of(name), used: paths.all)
    places[name] = made
    used.formUnion(paths.all)
    identifiers.formUnion(paths.identifiers)
    return made
  }
}
