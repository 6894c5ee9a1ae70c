/// How often something is tried, and how long is waited in between.
struct RetryPlan {
  static let defaultAttempts = 6
  private static let firstSeconds = 0.25
  private static let longestSeconds = 30.0

  private let attempts: Int
  /// How often it was tried without success since something came of it.
  private(set) var failures = 0

  init(attempts: Int) { self.attempts = max(1, attempts) }

  /// How many seconds to wait before the next try; `nil` where there is none.
  ///
  /// - Parameter asked: how long the service asked to wait.
  mutating func waitAfterFailure(asked: Int? = nil) -> Double? {
    failures += 1
    guard failures < attempts else { return nil }
    var seconds = Self.firstSeconds
    for _ in 1..<failures { seconds *= 2 }
    return min(max(seconds, Double(asked ?? 0)), Self.longestSeconds)
  }

  /// Something came of the last try.
  mutating func noteProgress() { failures = 0 }

  /// Words for the end of a message.
  var words: String { failures > 1 ? "; tried \(failures) times" : "" }
}
