/// What was found in one source: the figures of the quality report and of provenance.
public struct SourceSummary: Sendable, Hashable {
  public var name: String
  /// Bytes as they lie on disk.
  public var compressedBytes = 0
  public var uncompressedBytes = 0
  /// Lines that are not blank; each is an event or a reject.
  public var lines = 0
  public var blankLines = 0
  public var events = 0
  public var rejectsByReason: [RejectReason: Int] = [:]
  /// Events whose timestamp had no offset and was read as UTC.
  public var timestampsWithoutOffset = 0
  /// Events and rejected lines with a placeholder where an id is missing, by what it is
  /// (definitions 3.1).
  public var placeholders: [String: Int] = [:]
  public var compression = Compression.plain
  /// How the events were read: as asked for, or as the first lines looked.
  public var format = EventFormat.Name.canonical
  /// Of the bytes on disk; `nil` where they could not be read to their end.
  public var digest: SourceDigest?
  public var damages: [InputDamage] = []
  /// The first reject of each reason: its line and what was wrong there.
  public var firstRejects: [RejectReason: RejectPlace] = [:]
  /// What a plan that inspects found out.
  public var inspection: SourceInspection?
  /// Set if the source could not be read; the figures then are of what came before.
  public var unreadable: InputProblem?

  public init(name: String) {
    self.name = name
  }

  /// All rejects, whatever the reason.
  public var rejects: Int { rejectsByReason.values.reduce(0, +) }

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
  public var detail: String
}
