import Foundation
import Testing

/// Whether the longest runs are wanted.
enum SlowRuns {
  static let isWanted = ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1"
  static let reason: Comment =
    "takes most of a minute in a debug build; set FIRSTMILE_SLOW=1 to run it"
  /// How many times as many cases the fuzzed tests try when slow runs are wanted.
  static let factor = isWanted ? 15 : 1
}
