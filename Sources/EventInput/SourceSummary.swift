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
  public var compression = Compression.plain
  /// How the events were read: as asked for, or as the first lines looked.
  public var format = EventFormat.Name.canonical
  /// SHA-256 of the bytes on disk, in hexadecimal.
  public var digest = ""
  public var damages: [InputDamage] = []
  /// Set if the source could not be read; the figures then tell of what came before.
  public var unreadable: InputProblem?

  public init(name: String) {
    self.name = name
  }

  /// All rejects, whatever the reason.
  public var rejects: Int { rejectsByReason.values.reduce(0, +) }
}
