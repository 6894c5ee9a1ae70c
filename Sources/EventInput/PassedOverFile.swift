/// A file in a folder that a search left out, and why; or one that is read by half.
public struct PassedOverFile: Hashable, Sendable {
  /// Why a file was left out.
  public enum Reason: Hashable, Sendable {
    /// Its name is that of the rejected lines of an earlier run.
    case rejects
    /// Its name is that of a file which is still being written.
    case unfinished
    /// Nothing in its beginning looks like an event.
    case noEvents
    /// Other inputs have the same events, with their properties.
    case repeatsOthers
    /// It is read, for it was named, but it is a part of a table whose log alone says which of its
    /// rows count: what is wrong with that.
    case partOfTable(String)
    /// It is of a kind that isn't read: "a Parquet file".
    case foreign(String)
  }

  /// Where the file lies.
  public let path: InputPath
  /// Why the search left it out.
  public let reason: Reason
}
