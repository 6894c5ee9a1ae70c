/// How one vendor's exports say what the canonical event says: which paths hold what, and what has
/// to be read in a way of its own.
///
/// A format is only a value. `ScanPlan.reading(as:)` puts its paths in the place of the canonical
/// ones, so that the same scanner reads every format; docs/formats.md has the vendors' pages that
/// the formats follow.
public struct EventFormat: Sendable, Hashable {
  /// The formats by the names that `--format` takes.
  public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
    case canonical, segment, rudderstack, amplitude, mixpanel, posthog, ga4, mparticle, braze
    case segmentTables = "segment-tables"
    case mixpanelTable = "mixpanel-table"
    case snowplow, table
  }

  /// The end of a key that stands for all keys with its beginning.
  static let anyEnding = "\u{0}"

  /// A place in an event: keys from its root.
  typealias Path = [String]

  /// What `--format` and summaries call it.
  public let name: Name
  /// Canonical fields and context that have a place of their own; the first with a value counts.
  var places: [Path: [Path]] = [:]
  /// What the event's own properties stand in: in the canonical event and in tables `properties`
  /// and the event itself.
  var properties: [Path] = [["properties"]]
  /// Where a flag or experiment tool puts the variant of an experiment: what comes before its id.
  var variantPrefixes: [(container: Path, prefix: String)] = []
  /// Objects that may also be written as a text of JSON.
  var embedded: [Path] = []
  /// Arrays of key and typed value, read as objects; inner names are joined by an underscore.
  var lists: [Path] = []
  /// Arrays at the root of which the first object is read as if it stood there by itself.
  var firstItems: [Path] = []
  /// Columns of data that name their own schemas.
  var described: [Described] = []
  /// Whether events are rows, in which a value inside of an object may be a column of its own.
  var hasColumns = false
  /// Whether ids by the canonical names are known to be there.
  private(set) var hasOwnIds = false
  /// Whether the names at an event's root are in small letters, where the format has capitals.
  private(set) var isInSmallLetters = false
  /// Columns of a table that are spelt in another way than usual; they are among the places.
  private(set) var spelt = SpeltColumns()
  /// Whether all values are texts, whatever they were where they come from.
  var isUntyped = false
  /// Whether objects and lists may be texts of JSON, as in the columns of a table.
  var hasTexts = false
  /// Whether the names of what is inside of properties are joined by an underscore.
  var joinsNames = false
  /// A second place whose value is put behind the first's: "iOS" and "26.1". What comes of it
  /// stands at the first place and `+`, so that each is still there by itself.
  var joined: [(first: Path, second: Path)] = []
  /// What an event's own id is put together from, all of it, where it has no id in one place. It
  /// stands at the last of these places and `+`.
  var messageParts: [Path] = []
  /// An id that may be a user's or a device's, and what decides which.
  var mixedIdentity: MixedIdentity?
  /// Calls that say which ids are one person's.
  var alias: AliasCalls?
  /// The device's clock, corrected by the server's, where there is no time that is so already.
  var clock: ClockCorrection?
  /// Whether a row without an event's name is a call that its columns name (`SegmentTable`).
  var namesCallsByColumns = false
  /// Values that stand for none: a call of the type `track` is named by its event alone.
  var silent: [Path: Set<String>] = [:]
  /// Lines with a value there and without an event's name are none: they say how the vendor put
  /// its own ids together.
  var mergeMark: Path?
  /// Times without an offset are documented to be UTC, so that they aren't worth a remark.
  var timesAreUTC = false

  /// What a `distinct_id` is: one person's id, whether the person has signed in or not.
  struct MixedIdentity: Sendable, Hashable {
    /// Where it stands, the likeliest place first.
    var distinct: [Path]
    /// `false` there means that nobody has signed in.
    var isIdentified: [Path] = []
    /// Where the sending library stands, and which one names the user besides as soon as somebody
    /// has signed in: without a user the id is a device's.
    var library: [Path] = []
    var libraryWithUsers = ""
    /// Stands before the ids of devices.
    var devicePrefix: String?
    /// What the person was called when the event was sent, where the export has another id since.
    var before: [Path] = []
  }

  /// Events that name a further id of their person, and where it stands.
  struct AliasCalls: Sendable, Hashable {
    /// Where the event's name or type stands, the likeliest place first, and which are meant.
    var name: [Path]
    var names: [String]
    /// A user's id, where the event has none in the usual place.
    var users: [Path] = []
    /// The id of a device, before that of the usual place.
    var devices: [Path] = []
    /// An id of whichever kind.
    var others: [Path] = []
    /// Arrays of such ids.
    var lists: [Path] = []
  }

  /// Data that name their own schemas, in a column that may be a text.
  struct Described: Sendable, Hashable {
    var column: Path
    /// What the SDKs put before the schema's name.
    var prefix: String
  }

  /// original + (received − sent).
  struct ClockCorrection: Sendable, Hashable {
    var original: Path
    var sent: Path
    var received: Path
  }

  init(_ name: Name) { self.name = name }

  /// The apps' own events. What isn't in `properties` or `context` may stand beside the event's
  /// name: loggers and databases leave such objects out.
  static var canonical: EventFormat {
    var format = EventFormat(.canonical)
    format.properties.append([])
    return format
  }

  /// A format by its name.
  public static func named(_ name: Name) -> EventFormat {
    switch name {
    case .canonical: canonical
    case .segment: segment(.segment)
    case .rudderstack: segment(.rudderstack)
    case .amplitude: amplitude
    case .mixpanel: mixpanel
    case .posthog: posthog
    case .ga4: ga4
    case .mparticle: mparticle
    case .braze: braze
    case .segmentTables: segmentTables
    case .mixpanelTable: mixpanelTable
    case .snowplow: snowplow
    case .table: table
    }
  }

  /// All formats, and those whose names are written in two ways in both.
  static var spellings: [EventFormat] {
    var small = segment(.segment)
    small.takeSmallLetters()
    return Name.allCases.map(named) + [small]
  }

  /// What formats put before ids of devices.
  static let devicePrefixes = Set(
    Name.allCases.compactMap { named($0).mixedIdentity?.devicePrefix }
  ).sorted()

  /// A device's id as it is given, and without what a format puts before it.
  public static func spellings(ofDevice id: String) -> [String] {
    [id] + devicePrefixes.filter(id.hasPrefix).map { String(id.dropFirst($0.count)) }
  }

  /// The format where what properties stand in is a text of JSON, as warehouses export it.
  func withTexts() -> EventFormat {
    var format = self
    format.hasTexts = true
    format.embedded += format.properties.filter {
      !$0.isEmpty && !format.embedded.contains($0) && !format.lists.contains($0)
    }
    return format
  }

  /// An id as the reader takes it; empty for one that it takes for none.
  func identifier(_ text: String) -> String {
    guard isUntyped else { return text }
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if unsafe UntypedValue.isRounded(bytes) { return "" }
      let count = unsafe UntypedValue.wholeDigits(bytes) ?? bytes.count
      return unsafe String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  /// Whether a place is one that must hold properties, if it holds a text.
  func isProperties(_ path: Path) -> Bool {
    properties.contains(path) || path == ["unstruct_event"]
  }

  /// The format with texts, for a plan that looks at these paths: any object of which something is
  /// wanted may be a text.
  ///
  /// So is any list of entities (Snowplow's `contexts_…`) of which something is wanted.
  func embedding(_ paths: [Path]) -> EventFormat {
    var format = self
    for path in paths where path.count > 1 && isEntity(path[0]) {
      if !format.firstItems.contains([path[0]]) { format.firstItems.append([path[0]]) }
    }
    guard hasTexts else { return format }
    // The outer ones first: the inner ones may stand in their texts.
    let inside = paths.filter { $0.count > 1 && $0.last != EventFormat.both }
    for depth in 1..<max(2, inside.map(\.count).max() ?? 0) {
      for path in inside where path.count > depth {
        let object = Array(path.prefix(depth))
        let isOther =
          lists.contains { object.starts(with: $0) } || format.firstItems.contains(object)
        if !format.embedded.contains(object), !isOther { format.embedded.append(object) }
      }
    }
    return format
  }

  private func isEntity(_ key: String) -> Bool {
    !described.isEmpty && key.hasPrefix("contexts_")
  }

  /// The format where events are rows of a table: what is inside of an object may be a column, by
  /// its own name or by both names.
  func withColumns() -> EventFormat {
    var format = self
    format.hasColumns = true
    if !format.properties.contains([]) { format.properties.append([]) }
    format.flattenOwnPlaces()
    return format
  }

  /// Adds the columns that the places become which aren't fields of a plan.
  private mutating func flattenOwnPlaces() {
    let plain = self
    func added(_ paths: [Path]?) -> [Path] {
      (paths ?? []) + (paths ?? []).flatMap(plain.flattened)
    }
    mixedIdentity?.distinct = added(plain.mixedIdentity?.distinct)
    mixedIdentity?.isIdentified = added(plain.mixedIdentity?.isIdentified)
    mixedIdentity?.library = added(plain.mixedIdentity?.library)
    mixedIdentity?.before = added(plain.mixedIdentity?.before)
    alias?.users = added(plain.alias?.users)
    alias?.devices = added(plain.alias?.devices)
    alias?.others = added(plain.alias?.others)
    alias?.lists = added(plain.alias?.lists)
    joined += plain.joined.flatMap {
      zip(plain.flattened($0.first), plain.flattened($0.second)).map { ($0, $1) }
    }
    variantPrefixes += plain.variantPrefixes.flatMap { place in
      plain.flattened(place.container + [place.prefix]).map { ([], $0[0]) }
    }
  }

  /// A table whose events have ids by the canonical names: what else is called `distinct_id` may be
  /// a device's, as long as nobody has signed in.
  mutating func leavesOutDistinctIds() {
    places[["user_id"]]?.removeAll { $0 == ["distinct_id"] }
    hasOwnIds = true
  }

  /// The format as warehouses write its names at an event's root, in small letters: `anonymousid`.
  mutating func takeSmallLetters() {
    isInSmallLetters = true
    func small(_ path: Path) -> Path { [path[0].lowercased()] + path.dropFirst() }
    places = places.mapValues { $0.map(small) }
    if let clock {
      self.clock = ClockCorrection(
        original: small(clock.original), sent: small(clock.sent), received: small(clock.received))
    }
    if var calls = alias {
      calls.others = calls.others.map(small)
      alias = calls
    }
  }

  /// The format where loaders have written an underscore for each dollar sign, which columns and
  /// the fields of records can't have in their names: `_device_id`.
  mutating func takeUnderscores() {
    func alternatives(_ path: Path) -> [Path] {
      let other = path.map { $0.hasPrefix("$") ? "_" + $0.dropFirst() : $0 }
      return other == path ? [path] : [path, other]
    }
    func all(_ paths: [Path]) -> [Path] { paths.flatMap(alternatives) }
    places = places.mapValues(all)
    joined = joined.flatMap { pair in
      zip(alternatives(pair.first), alternatives(pair.second)).map { ($0, $1) }
    }
    variantPrefixes += variantPrefixes.filter { $0.prefix.hasPrefix("$") }.map {
      ($0.container, "_" + $0.prefix.dropFirst().replacing("/", with: "_"))
    }
    if let mixed = mixedIdentity {
      mixedIdentity?.isIdentified = all(mixed.isIdentified)
      mixedIdentity?.library = all(mixed.library)
      mixedIdentity?.before = all(mixed.before)
    }
    if let calls = alias {
      alias?.users = all(calls.users)
      alias?.devices = all(calls.devices)
      alias?.others = all(calls.others)
      alias?.lists = all(calls.lists)
    }
  }

  /// A table with columns that are spelt in another way: before those that hold an event's name
  /// only where there is no other, and behind all others.
  mutating func take(_ spelt: SpeltColumns) {
    self.spelt = spelt
    for (field, column) in spelt.places {
      let usual = places[field] ?? ownPaths(for: field)
      places[field] =
        usual.filter { !SpeltColumns.vague.contains($0) } + [column]
        + usual.filter(SpeltColumns.vague.contains)
    }
  }

  /// Lists that may be a text of JSON: in the columns of a table those of ids are in any case.
  var listTexts: [Path] {
    let own = hasTexts ? lists + firstItems.map { [ListItem($0[0]).list] } : []
    return own + (hasColumns ? alias?.lists ?? [] : [])
  }

  /// Places that are looked at though no field of the plan stands there.
  var ownPaths: [Path] {
    var paths = embedded + lists + joined.flatMap { [$0.first, $0.second] }
    paths += firstItems.map { [ListItem($0[0]).list] } + described.map(\.column)
    paths += [mergeMark].compactMap { $0 } + messageParts
    if let mixedIdentity {
      paths += mixedIdentity.distinct + mixedIdentity.isIdentified + mixedIdentity.library
      paths += mixedIdentity.before
    }
    if let alias {
      paths += alias.name + alias.users + alias.devices + alias.others + alias.lists
    }
    if let clock { paths += [clock.original, clock.sent, clock.received] }
    if namesCallsByColumns {
      paths += [["event"]] + SegmentTable.calls.flatMap { $0.columns + $0.others }.map { [$0] }
    }
    return paths
  }

  /// Which number is the month in dates that end with the year, where the source's times say it.
  var dayOrder: DayOrder?

  /// Whether both are the format of one name, and read rows of a table with the same columns, or
  /// none.
  public static func == (one: EventFormat, other: EventFormat) -> Bool {
    one.name == other.name && one.hasColumns == other.hasColumns
      && one.dayOrder == other.dayOrder
      && one.hasOwnIds == other.hasOwnIds && one.spelt == other.spelt
      && one.isInSmallLetters == other.isInSmallLetters
  }

  /// Takes what equality compares: all other members follow from it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(dayOrder)
    hasher.combine(hasColumns)
    hasher.combine(hasOwnIds)
    hasher.combine(spelt)
    hasher.combine(isInSmallLetters)
  }
}
