internal import EventInput

/// What keeps a store from doing what was asked; each says where, why, and how to mend it.
package enum StoreError: Error, Hashable, CustomStringConvertible {
  case notFound(String)
  /// A file that is no store of this program.
  case notAStore(String)
  /// The file's schema version, and the newest that this program knows.
  case newer(String, found: Int, known: Int)
  /// The file's schema version, and the one that this program reads.
  case older(String, found: Int, known: Int)
  /// Another process writes for longer than it was waited for.
  case busy(String, seconds: Int)
  case full(String)
  /// The file, and the most bytes that the system lets this process write into a file.
  case tooLarge(String, limit: Int)
  /// What of it can't be written to, where that is known: the file, its folder or SQLite's log.
  case readOnly(String, blocked: String?)
  /// The system's reason.
  case cannotOpen(String, String)
  /// What is damaged.
  case damaged(String, String)
  /// Flows ask for what was not kept; one line for each source, and why.
  case needsReading(String, [String])
  /// The folder of rejected lines can't be used, and why.
  case rejects(String, String)
  /// SQLite's words for anything else.
  case other(String, String)

  /// Line feeds in paths are shown escaped; only the list of what lacks has lines of its own.
  package var description: String {
    if case .needsReading = self { return words }
    return InputPath.shown(words)
  }

  private var words: String {
    switch self {
    case .notFound(let path):
      "there is no store '\(path)'; firstmile ingest makes one"
    case .notAStore(let path):
      """
      '\(path)' is no FirstMile store; nothing in it was changed. Name another file: a new one is \
      made where there is none.
      """
    case .newer(let path, let found, let known):
      """
      the store '\(path)' has schema version \(found); this program knows versions up to \
      \(known). Use the newer firstmile that wrote it; the store was not changed.
      """
    case .older(let path, let found, let known):
      """
      the store '\(path)' has schema version \(found), of an earlier firstmile, which took other \
      ids for people; this program reads version \(known). Ingest the dumps into a new store; the \
      old one was not changed.
      """
    case .busy(let path, let seconds):
      """
      another process has been writing to '\(path)' for \(seconds) s. The store is as it was; run \
      the command again when the other one is done. Commands that change a store wait longer \
      with --wait.
      """
    case .full(let path):
      """
      no space left for the store '\(path)', beside it or in SQLite's folder for temporary files \
      (TMPDIR). What was being written is not in it, and what was in before is whole; make room \
      and run the same command again.
      """
    case .tooLarge(let path, let limit):
      """
      the store '\(path)' or its log can't grow: this process may write files of at most \(limit) \
      bytes. What was being written is not in it, and what was in before is whole; raise the limit \
      (ulimit -f) and run the same command again.
      """
    case .readOnly(let path, let blocked):
      """
      the store '\(path)' can't be written to: \
      \(blocked.map { "'\($0)'" } ?? "the file, its folder or its volume") is read-only for this \
      user. SQLite also writes files beside it (-wal, -shm). The store is as it was; change the \
      permissions or copy the store elsewhere, with these files.
      """
    case .cannotOpen(let path, let reason): "the store '\(path)' can't be opened: \(reason)"
    case .damaged(let path, let what):
      """
      the store '\(path)' is damaged: \(what). Nothing was reported; `firstmile store verify` \
      names all damaged parts, and ingesting into a new store makes it whole again.
      """
    case .needsReading(let path, let reasons):
      """
      the store '\(InputPath.shown(path))' did not keep all that is asked for:
      \(StoreError.first(of: reasons))
      Read them again with: firstmile ingest --again FILE… \
      --store \(InputPath.shown(path)) --flow FLOW
      """
    case .rejects(let path, let reason):
      """
      rejected lines can't be kept in '\(path)': \(reason). They hold raw ids, so that only you \
      may read them; move it away, and the next run makes a folder of its own.
      """
    case .other(let path, let message): "the store '\(path)': \(message)"
    }
  }

  /// A store may have thousands of sources that lack the same.
  private static func first(of reasons: [String]) -> String {
    let shown = 5
    var lines = reasons.prefix(shown).map { "  \($0)" }
    if reasons.count > shown { lines.append("  and \(reasons.count - shown) more sources") }
    return lines.joined(separator: "\n")
  }
}
