/// Why facts could not be spilled to disk, or not be read back.
public enum SpillError: Error, Hashable, CustomStringConvertible {
  /// The private folder can't be made; the folder it should stand in, the system's reason.
  case folder(String, String)
  /// The disk is full, or the quota used up.
  case noSpace(String)
  /// A file can't be written or read; its path, the system's reason.
  case file(String, String)
  /// What was read back is not what was written; the file, the byte where the damaged part begins.
  case damaged(String, Int)
  /// The folder was removed because the program is being stopped.
  case stopped(String)

  /// What went wrong and, where something helps, what to do about it.
  public var description: String {
    switch self {
    case .folder(let path, let reason):
      """
      no private folder can be made in '\(path)' for facts beyond the memory limit: \(reason). \
      Set TMPDIR to a folder that can be written to, or raise --memory-limit.
      """
    case .noSpace(let path):
      """
      no space left for '\(path)', which holds facts beyond the memory limit. Set TMPDIR to a \
      folder with more room (20 to 40 bytes an event), or raise --memory-limit.
      """
    case .file(let path, let reason): "'\(path)', which holds facts: \(reason)"
    case .damaged(let path, let offset):
      """
      '\(path)' is damaged: the part at byte \(offset) is not what was written there. The disk or \
      its file system can't be trusted; nothing was reported. Set TMPDIR to another disk.
      """
    case .stopped(let path): "'\(path)' was removed because the program is being stopped"
    }
  }
}
