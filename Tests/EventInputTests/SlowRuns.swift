import Foundation

/// Whether random tests read as much as they can bear, which takes minutes: FIRSTMILE_SLOW=1.
enum SlowRuns {
  static let areWanted = ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1"
}
