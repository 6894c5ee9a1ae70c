public import FunnelEngine

/// An analysis and how it came about: what all documents of one flow are made from.
public struct Report: Sendable {
  /// The numbers.
  public private(set) var analysis: Analysis
  /// How they came about.
  public let provenance: Provenance
  /// Earlier reports by the same definitions and options, in the order in which they were made.
  public var past: [PastReport] { didSet { conclusions = Conclusions() } }
  /// What the report is held against, if anything.
  public var earlier: EarlierNumbers? { didSet { conclusions = Conclusions() } }
  /// Whether pictures of the findings lie beside the documents, so that Markdown can show them.
  public var hasCards = false
  /// What is concluded from all of it.
  package private(set) var conclusions = Conclusions()

  /// Joins an analysis with where it comes from; ``earlier`` is set afterwards.
  public init(_ analysis: Analysis, provenance: Provenance, past: [PastReport] = []) {
    self.analysis = analysis
    self.provenance = provenance
    self.past = past
    self.analysis.addMissingDays(provenance.missingDays.map(\.date))
  }

  /// Whether both find existing users alike, by how far back they know people.
  public func hasLookBack(like other: Report) -> Bool {
    provenance.lookBack.isAlike(other.provenance.lookBack)
  }

  /// Dates on which hardly anybody started, but for those that are missing altogether.
  package var missingStarts: [MissingStarts.Day] {
    let missing = Set(provenance.missingDays.map(\.date))
    return analysis.missingStarts.filter { !missing.contains($0.date) }
  }

  /// Has the files hold every number of every slice, however few people are in it.
  public mutating func recordAllSlices() {
    analysis.recordAllSlices()
    conclusions = Conclusions()
  }
}

/// How the facts arrived; none of it changes a metric.
public struct Provenance: Sendable {
  /// One input.
  public struct Source: Sendable, Hashable {
    /// The name that the input was given by: a path, a URL, or the member of an archive.
    public var name: String
    /// Kind and digits of the digest of the bytes as they were read, such as `xxh3-128:06b0…`;
    /// `nil` if it could not be read.
    public var digest: String?
    /// Lines or records that are not blank; each is an event or a reject.
    public var lines: Int
    /// Lines that were read as events.
    public var events: Int
    /// Lines that could not be used.
    public var rejects: Int
    /// What was wrong with the file: unreadable, truncated, corrupt; with byte offsets.
    public var problems: [String]
    /// What its name promises and its bytes don't keep, in words; `nil` of every usable input.
    public var misnaming: String?

    /// Describes one input.
    public init(
      name: String, digest: String?, lines: Int, events: Int, rejects: Int, problems: [String],
      misnaming: String? = nil
    ) {
      self.name = name
      self.digest = digest
      self.lines = lines
      self.events = events
      self.rejects = rejects
      self.problems = problems
      self.misnaming = misnaming
    }
  }

  /// A date on which far fewer people have events than on any before.
  public struct ShortDay: Sendable, Hashable {
    /// In UTC, as `2026-01-31`.
    public var date: String
    /// How many persons have events on it.
    public var persons: Int
    /// The fewest on any of the 28 dates before.
    public var leastPersons: Int

    /// Describes a date by its persons and the fewest before.
    public init(date: String, persons: Int, leastPersons: Int) {
      self.date = date
      self.persons = persons
      self.leastPersons = leastPersons
    }
  }

  /// A crawler or robot that events name.
  public struct Crawler: Sendable, Hashable {
    /// `Googlebot`, or the property that says so.
    public var name: String
    /// In how many of the sampled events it was named.
    public var events: Int
    /// In how many events it was looked for.
    public var sampledEvents: Int

    /// Describes a crawler by how often it was found.
    public init(name: String, events: Int, sampledEvents: Int) {
      (self.name, self.events, self.sampledEvents) = (name, events, sampledEvents)
    }
  }

  /// The version of FirstMile that counted.
  public var programVersion: String
  /// In the order of names.
  public var sources: [Source]
  /// Rejected lines by reason.
  public var rejectsByReason: [String: Int]
  /// Lines of all inputs that are not blank.
  public var lines: Int
  /// Events of all inputs, repeated deliveries among them.
  public var events: Int
  /// Events whose timestamp had no offset and was read as UTC.
  public var timestampsWithoutOffset: Int
  /// Events and rejected lines with a placeholder in the place of an id, such as `undefined`, by
  /// what it is.
  public var placeholders: [String: Int] = [:]
  /// From bringing the facts together, by name: `repeated_facts`, `stitched_facts` …
  public var timelineCounts: [String: Int]
  /// The moment up to which the data count as complete, since 1970 in UTC; `nil` without facts.
  public var horizonMilliseconds: Int64?
  /// How far back people are known before the first attempt that counts; `nil` without one.
  public var lookBack: LookBack?
  /// How many whole days the data end before that moment, where somebody chose it.
  public var daysAfterData = 0
  /// The first of the last dates on which part of the data seems to be missing; `nil` if there is
  /// none.
  public var shortDay: ShortDay?
  /// Dates before on which hardly anybody has events, in order.
  public var missingDays: [ShortDay] = []
  /// What looks like personal text in a sample of the events; empty where none was taken.
  public var personalProperties: [PersonalText] = []
  /// Crawlers and robots in a sample of the events, those with the most events first.
  public var crawlers: [Crawler] = []
  /// The options of the run that change numbers, by name and in words.
  public var options: [String: String]
  /// The share of rejects that the run accepts.
  public var maximumRejectRate: Double

  /// Describes a run; sources are sorted by name, so that the order of inputs does not show.
  public init(
    programVersion: String, sources: [Source] = [], rejectsByReason: [String: Int] = [:],
    lines: Int = 0, events: Int = 0, timestampsWithoutOffset: Int = 0,
    timelineCounts: [String: Int] = [:], horizonMilliseconds: Int64? = nil,
    options: [String: String] = [:], maximumRejectRate: Double = 0.01
  ) {
    self.programVersion = programVersion
    self.sources = Provenance.inOrder(sources)
    self.rejectsByReason = rejectsByReason
    self.lines = lines
    self.events = events
    self.timestampsWithoutOffset = timestampsWithoutOffset
    self.timelineCounts = timelineCounts
    self.horizonMilliseconds = horizonMilliseconds
    self.options = options
    self.maximumRejectRate = maximumRejectRate
  }

  /// Inputs by name, and of one name by digest, those without any last: reports are the same
  /// whatever the order that inputs were named in, and however many machines read them.
  package static func inOrder(_ sources: [Source]) -> [Source] {
    sources.sorted { left, right in
      left.name == right.name
        ? (left.digest ?? "~").utf8.lexicographicallyPrecedes((right.digest ?? "~").utf8)
        : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
  }

  /// The reasons of rows that were deleted where they came from, which are no faults of the data.
  public static let deletedRows: Set = ["deleted_row", deletedByLog]
  /// That of rows which a log of changes says are gone.
  public static let deletedByLog = "deleted_by_log"

  /// The rejects that are judged: all but ``deletedRows``.
  public var faults: Int {
    rejectsByReason.reduce(0) { $0 + (Self.deletedRows.contains($1.key) ? 0 : $1.value) }
  }

  /// Rejected lines of all lines; 0 without lines.
  public var rejectRate: Double {
    lines == 0 ? 0 : Double(faults) / Double(lines)
  }
}
