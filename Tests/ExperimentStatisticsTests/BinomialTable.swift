import Foundation

/// The chances of each count of a binomial distribution, worked out in the plainest way: by logs
/// and one ratio after the other, without anything from the target under test.
struct BinomialTable {
  let trials: Int
  let chances: [Double]
  private let cumulative: [Double]

  init(trials: Int, share: Double) {
    self.trials = trials
    var logs = [Double(trials) * log1p(-share)]
    for count in 0..<trials {
      let ratio = Double(trials - count) / Double(count + 1)
      logs.append(logs[count] + log(ratio) + log(share) - log1p(-share))
    }
    let chances = logs.map(exp)
    self.chances = chances
    var sum = 0.0
    cumulative = chances.map {
      sum += $0
      return sum
    }
  }

  /// The counts that are not all but impossible.
  var likely: [Int] { chances.indices.filter { chances[$0] > 1e-9 } }

  /// A count drawn with its chance.
  func draw(using random: inout SplitMix64) -> Int {
    let target = Double(random.next() >> 11) * 0x1p-53
    var (low, high) = (0, trials)
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
