/// One promise, how often it was put to the test, and what was found.
struct Row: Sendable {
  enum Promise: Sendable {
    /// The share of runs may be at most this.
    case atMost(Double)
    /// The share of runs must be at least this.
    case atLeast(Double)
    /// The share of runs that was announced.
    case announced(Double)
  }

  let setting: String
  let promise: Promise
  let runs: Int
  /// Runs in which the event of the table happened.
  let count: Int
  /// What another method gives on the same draws, for comparison; nil where there is none.
  let other: Double?

  init(_ setting: String, _ promise: Promise, runs: Int, count: Int, other: Double? = nil) {
    self.setting = setting
    self.promise = promise
    self.runs = runs
    self.count = count
    self.other = other
  }

  var found: Double { Double(count) / Double(runs) }

  var promised: Double {
    switch promise {
    case .atMost(let share), .atLeast(let share), .announced(let share): share
    }
  }

  /// Whether the finding is within the promise, three Monte-Carlo standard errors allowed.
  var isKept: Bool {
    let allowance = 3 * (promised * (1 - promised) / Double(runs)).squareRoot()
    return switch promise {
    case .atMost: found <= promised + allowance
    case .atLeast: found >= promised - allowance
    case .announced: abs(found - promised) <= allowance
    }
  }
}
