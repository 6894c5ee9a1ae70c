/// The counts that a binomial draw practically comes out as, with their chances.
///
/// Reaches nine standard deviations to both sides of the mean and a few counts more; what lies
/// beyond has a chance under 1e-15. Built outwards from the likeliest count by the ratio of
/// neighbours, and scaled to a sum of 1, so no factorial is needed.
struct BinomialWindow {
  /// The count that the first chance belongs to.
  let first: Int
  let chances: [Double]

  /// Nil where the window would be too wide to walk: there the normal limit is exact enough.
  init?(trials: Int, share: Double) {
    guard trials > 0, share > 0, share < 1 else {
      first = share >= 1 ? max(0, trials) : 0
      chances = [1]
      return
    }
    let mean = Double(trials) * share
    let reach = 9 * (mean * (1 - share)).squareRoot() + 12
    guard reach < 20_000 else { return nil }
    let lowest = max(0, Int(mean - reach))
    let highest = min(trials, Int(mean + reach) + 1)
    let mode = min(highest, max(lowest, Int(mean)))
    var chances = [Double](repeating: 0, count: highest - lowest + 1)
    let odds = share / (1 - share)
    chances[mode - lowest] = 1
    var count = mode
    while count < highest {
      let ratio = Double(trials - count) / Double(count + 1) * odds
      chances[count + 1 - lowest] = chances[count - lowest] * ratio
      count += 1
    }
    count = mode
    while count > lowest {
      let ratio = Double(count) / Double(trials - count + 1) / odds
      chances[count - 1 - lowest] = chances[count - lowest] * ratio
      count -= 1
    }
    let sum = chances.reduce(0, +)
    first = lowest
    self.chances = chances.map { $0 / sum }
  }

  /// The chance of at most this count.
  func atMost(_ count: Int) -> Double {
    guard count >= first else { return 0 }
    return min(1, chances.prefix(count - first + 1).reduce(0, +))
  }
}
