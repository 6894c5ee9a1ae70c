/// A file in a folder that a search left out, and why.
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
    /// It is of a kind that isn't read: "a Parquet file".
    case foreign(String)
  }

  /// Where the file lies.
  public let path: InputPath
  /// Why the search left it out.
  public let reason: Reason
}
