internal import FlowDefinition
internal import Timelines

/// Counts persons by everything at once, by codes; an open-addressed table over flat arrays, so
/// that a person costs no allocation.
struct StratumRecorder {
  struct Stratum {
    var group: Int
    var outcome: Outcome
    var week: Int
    var dimensions: ArraySlice<UInt32>
  }

  private let keyWidth: Int
  private let rowWidth: Int
  private var keys: [UInt32] = []
  private var counts: [UInt32] = []
  private var buckets: [UInt32] = Array(repeating: .max, count: 1024)
  private var mask = 1023
  private(set) var count = 0
  private var key: [UInt32]

  init(_ flow: Flow) {
    keyWidth = 3 + flow.dimensions.count
    rowWidth = 1 + 2 * (flow.goals.count + flow.retention.count)
    key = Array(repeating: 0, count: keyWidth)
  }

  mutating func add(_ attempt: Attempt, group: Int, week: Int) {
    key[0] = UInt32(truncatingIfNeeded: group)
    key[1] = UInt32(attempt.outcome.rawValue)
    key[2] = UInt32(truncatingIfNeeded: week)
    for (index, value) in attempt.dimensions.enumerated() { key[3 + index] = value }
    var place = row() * rowWidth
    counts[place] += 1
    for goal in attempt.goals {
      counts[place + 1] += goal.isEligible ? 1 : 0
      counts[place + 2] += goal.isReached ? 1 : 0
      place += 2
    }
    for measure in attempt.retention {
      counts[place + 1] += measure.isEligible ? 1 : 0
      counts[place + 2] += measure.cameBack ? 1 : 0
      place += 2
    }
  }

  /// Which persons row `index`, below `count`, counts.
  func stratum(_ index: Int) -> Stratum {
    let start = index * keyWidth
    return Stratum(
      group: Int(keys[start]), outcome: Outcome(rawValue: UInt8(keys[start + 1])) ?? .open,
      week: Int(Int32(bitPattern: keys[start + 2])),
      dimensions: keys[(start + 3)..<(start + keyWidth)])
  }

  /// The counters of row `index`.
  func counts(_ index: Int) -> [Int] {
    counts[(index * rowWidth)..<((index + 1) * rowWidth)].map(Int.init)
  }

  /// The row of `key`, made if it is new.
  private mutating func row() -> Int {
    var position = hash(key[...]) & mask
    while buckets[position] != .max {
      let index = Int(buckets[position])
      if isKey(index) { return index }
      position = (position + 1) & mask
    }
    buckets[position] = UInt32(count)
    keys.append(contentsOf: key)
    counts.append(contentsOf: repeatElement(0, count: rowWidth))
    count += 1
    if count * 2 > buckets.count { grow() }
    return count - 1
  }

  /// Whether row `index` is that of `key`.
  private func isKey(_ index: Int) -> Bool {
    var difference: UInt32 = 0
    for place in 0..<keyWidth { difference |= keys[index * keyWidth + place] ^ key[place] }
    return difference == 0
  }

  private func hash(_ key: ArraySlice<UInt32>) -> Int {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for value in key {
      hash = (hash ^ UInt64(value)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
    }
    return Int(truncatingIfNeeded: hash)
  }

  private mutating func grow() {
    mask = buckets.count * 2 - 1
    buckets = Array(repeating: .max, count: mask + 1)
    for index in 0..<count {
      var position = hash(keys[(index * keyWidth)..<((index + 1) * keyWidth)]) & mask
      while buckets[position] != .max { position = (position + 1) & mask }
      buckets[position] = UInt32(index)
    }
  }
}
