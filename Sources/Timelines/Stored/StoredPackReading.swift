/// A pack as it is read: what its codes mean, and whose facts are wanted.
public struct StoredPackReading: Sendable {
  public var layout: StoredLayout
  public var tables: StoredTables
  /// By the number of a source in the pack; facts of the others are passed over.
  public var isWanted: [Bool]

  public init(layout: StoredLayout, tables: StoredTables, isWanted: [Bool]) {
    self.layout = layout
    self.tables = tables
    self.isWanted = isWanted
  }
}

/// One segment and its pack, by its place among the packs that are read.
public struct StoredPiece: Sendable {
  public var pack: Int
  public var bytes: StoredBytes

  public init(pack: Int, bytes: StoredBytes) {
    self.pack = pack
    self.bytes = bytes
  }
}
