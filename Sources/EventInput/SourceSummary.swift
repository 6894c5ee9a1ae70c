/// What was found in one source: the figures of the quality report and of provenance.
public struct SourceSummary: Sendable, Hashable {
  /// What the source is called, as ``InputSource/name`` has it.
  public var name: String
  /// Bytes as they lie on disk.
  public var compressedBytes = 0
  /// Bytes after compression was undone; as many as on disk where there is none.
  public var uncompressedBytes = 0
  /// Lines that are not blank; each is an event or a reject.
  public var lines = 0
  /// Lines with nothing but white space, which are neither events nor rejects.
  public var blankLines = 0
  /// Lines and rows that are events, repetitions too.
  public var events = 0
  /// Lines and rows that can't be used, by why; reasons without any are not there.
  public var rejectsByReason: [RejectReason: Int] = [:]
  /// Events whose timestamp had no offset and was read as UTC.
  public var timestampsWithoutOffset = 0
  /// Events of rows that a log of changes says were changed after they came.
  public var changedRows = 0
  /// Events and rejected lines with a placeholder where an id is missing, by what it is
  /// (definitions 3.1).
  public var placeholders: [String: Int] = [:]
  /// How the source is compressed, as its first bytes say; brotli, as its name says.
  public var compression = Compression.plain
  /// How the events were read: as asked for, or as the first lines looked.
  public var format = EventFormat.Name.canonical
  /// Whether a table's events are named by a column `name` alone, as customers and products are.
  public var isNamedByNameAlone = false
  /// Whether most of its first events' own ids stand at events of several people.
  public var hasSharedMessages = false
  /// In how many lines there is what the flow file names a place for; empty where it names none.
  public var mapped: [MappedSight] = []
  /// Where the first lines have values, by their paths; kept where one of the above is in no line.
  public var places: [String] = []
  /// Of the bytes on disk; `nil` where they could not be read to their end.
  public var digest: SourceDigest?
  /// Where compressed or archived data is broken; of many places the first ones.
  public var damages: [InputDamage] = []
  /// Files of an archive in which nothing looked like an event, by their names as sources.
  public var passedOverFiles: [String] = []
  /// The first reject of each reason: its line and what was wrong there.
  public var firstRejects: [RejectReason: RejectPlace] = [:]
  /// What a plan that inspects found out.
  public var inspection: SourceInspection?
  /// Set if the source could not be read; the figures then are of what came before.
  public var unreadable: InputProblem?

  /// The summary of a source of which nothing is read yet.
  public init(name: String) {
    self.name = name
  }

  /// All rejects, whatever the reason.
  public var rejects: Int { rejectsByReason.values.reduce(0, +) }

  /// The rejects that are judged: all but rows that were deleted where they came from.
  public var faults: Int { rejectsByReason.reduce(0) { $0 + ($1.key.isFault ? $1.value : 0) } }

  /// Where the name promises a compression that the bytes don't have, that in words. Only where no
  /// line could be used: text that kept its name when it was unpacked reads as it should.
  public var misnaming: String? {
    guard compression == .plain, events == 0, lines > 0,
      let (ending, promised) = Compression.endings.first(where: {
        name.lowercased().hasSuffix($0.ending)
      })
    else { return nil }
    return "the name ends in \(ending) but the bytes aren't \(promised.rawValue): read as plain "
      + "text, no line of it could be used; is the file what it should be?"
  }
}

/// Where a line stands that can't be used.
public struct RejectPlace: Sendable, Hashable {
  /// The file, or the file and the member of a zip.
  public var name: String
  /// Counted from 1.
  public var line: Int
  /// What else to know of the reason; may be empty.
  public var detail: String
}
