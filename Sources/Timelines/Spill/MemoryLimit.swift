/// How much memory a run may take, and the folder for what is beyond it.
public struct MemoryLimit: Sendable {
  /// The limit in bytes, for the whole program.
  public let bytes: Int
  /// Where facts are spilled; its owner removes it when the timelines are no longer read.
  public let folder: SpillFolder

  /// A limit in bytes; a negative one is taken as 0.
  public init(bytes: Int, folder: SpillFolder) {
    self.bytes = max(0, bytes)
    self.folder = folder
  }

  /// What facts and tables of ids may take of it: the rest is for reading, for tables that are
  /// growing (old and new at once), and for what partitions need while they are brought together.
  var factBytes: Int { bytes / 8 * 5 }
}
