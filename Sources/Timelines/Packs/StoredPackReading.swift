/// A pack as it is read: what its codes mean, and whose facts are wanted.
public struct StoredPackReading: Sendable {
  /// Which values the pack has kept.
  public var layout: StoredLayout
  /// What the codes in the pack's facts mean.
  public var tables: StoredTables
  /// By the number of a source in the pack; facts of the others are passed over.
  public var isWanted: [Bool]
  /// Whether all its events were written as FirstMile's own: then a path that a flow file names is
  /// the place that it would be read from anyway.
  public var isOfOwnEvents = false

  /// A pack of which the facts of some sources are wanted.
  public init(layout: StoredLayout, tables: StoredTables, isWanted: [Bool]) {
    self.layout = layout
    self.tables = tables
    self.isWanted = isWanted
  }
}

/// One segment and its pack, by its place among the packs that are read.
public struct StoredPiece: Sendable {
  /// The pack's place among ``StoredTimelineReader/packs``.
  public var pack: Int
  /// The segment's facts in the written form.
  public var bytes: StoredBytes

  /// A segment of the pack with this place.
  public init(pack: Int, bytes: StoredBytes) {
    self.pack = pack
    self.bytes = bytes
  }
}
