internal import EventInput

/// Why segments, surveys or tallies can't be used.
public enum SegmentError: Error, Hashable, CustomStringConvertible {
  /// The file can't be read; its path, the system's reason.
  case unreadable(String, String)
  /// The file holds something else; its path, the byte at which it shows, what was looked for.
  case foreign(String, Int, String)
  /// Written by a program that is newer, or older than the first release; the path, the version,
  /// and which one this program reads.
  case version(String, Int, read: Int)
  /// The file ends within a segment; its path, the byte at which that segment begins.
  case truncated(String, Int)
  /// What was read is not what was written; the file, the byte at which the segment begins.
  case damaged(String, Int)
  /// Parts that do not belong together; what and why in words, with what can be done.
  case differing(String)
  /// A part is missing; which one, and what can be done.
  case missing(String)
  /// A part came twice.
  case twice(String)

  /// What is wrong with which file or part, and what to do about it.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "'\(InputPath.shown(path))' can't be read: \(reason)"
    case .foreign(let path, let offset, let expected):
      offset == 0
        ? "'\(InputPath.shown(path))' holds something else than \(expected)"
        : "'\(InputPath.shown(path))': at byte \(offset) begins something else than \(expected)"
    case .version(let path, let version, let read):
      "'\(InputPath.shown(path))' has version \(version) of its format; this program reads "
        + "version \(read). Make it anew with this program, or read it with "
        + "the one that wrote it."
    case .truncated(let path, let offset):
      "'\(InputPath.shown(path))' is truncated: it ends within what begins at byte "
        + "\(offset). Run the task that wrote it again."
    case .damaged(let path, let offset):
      "'\(InputPath.shown(path))' is damaged: what begins at byte \(offset) is not what was "
        + "written. Run the task that wrote it again."
    case .differing(let text), .missing(let text), .twice(let text): text
    }
  }
}
