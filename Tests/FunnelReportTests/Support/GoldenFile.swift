import Foundation
import Testing

/// A text held against the one on record. A difference fails; with FIRSTMILE_RECORD=1 the new text
/// is recorded, and the test still fails, so that nobody records unawares.
enum GoldenFile {
  static func expect(
    _ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Golden")
    let place = folder.appendingPathComponent(name)
    let recorded = try? String(contentsOf: place, encoding: .utf8)
    if recorded == text { return }
    if ProcessInfo.processInfo.environment["FIRSTMILE_RECORD"] == "1" {
      try Data(text.utf8).write(to: place)
      Issue.record("\(name) was recorded; look at the difference", sourceLocation: sourceLocation)
      return
    }
    let old = (recorded ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let at = line ?? min(old.count, new.count)
    Issue.record(
      """
      \(name) differs at line \(at + 1):
        recorded: \(at < old.count ? String(old[at]) : "(end)")
        now:      \(at < new.count ? String(new[at]) : "(end)")
      """, sourceLocation: sourceLocation)
  }
}
