internal import FlowDefinition

/// Counts persons by everything at once, by codes.
///
/// There may be nearly as many strata as persons, far more than the caches hold. So persons are
/// noted, and counted some hundreds at a time: their rows are fetched side by side.
struct StratumRecorder {
  struct Stratum {
    var group: Int
    var outcome: Outcome
    var week: Int

    /// The number of its group with its outcome.
    var place: Int { group * Outcome.allCases.count + Int(outcome.rawValue) }
  }

  /// What people can be made alike by: dimensions known at entry.
  private let dimensions: [Int]
  /// Counters of a row: persons, then eligible and met of each goal and retention measure.
  private let counterCount: Int
  private var rows: KeyedRows
  // Persons noted and not yet counted: their keys, and what they add to each counter.
  private var keys: [UInt32] = []
  private var marks: [UInt8] = []
  private var hashes: [UInt32] = []
  private var noted = 0
  /// What fetching rows read; of no meaning.
  private var fetched: UInt32 = 0

  private static let batch = 256

  init(_ flow: Flow) {
    dimensions = flow.dimensionsAtEntry
    counterCount = StratumRecorder.counterCount(flow)
    rows = KeyedRows(
      keyWidth: 3 + dimensions.count, width: 3 + dimensions.count + counterCount)
  }

  /// How many counters a stratum has.
  static func counterCount(_ flow: Flow) -> Int {
    1 + 2 * (flow.goals.count + flow.retention.count)
  }

  /// How many strata there are; call `finish()` before.
  var count: Int { rows.count }

  mutating func add(_ attempt: Attempt, group: Int, week: Int) {
    if keys.isEmpty { makeRoom() }
    let start = noted * rows.keyWidth
    keys[start] = UInt32(truncatingIfNeeded: group)
    keys[start + 1] = UInt32(attempt.outcome.rawValue)
    keys[start + 2] = UInt32(truncatingIfNeeded: week)
    for place in dimensions.indices {
      keys[start + 3 + place] = attempt.dimensions[dimensions[place]]
    }
    hashes[noted] = rows.hash(keys, at: start)
    mark(attempt)
    noted += 1
    if noted == StratumRecorder.batch { finish() }
  }

  private mutating func mark(_ attempt: Attempt) {
    var place = noted * counterCount
    var marks = marks.mutableSpan
    marks[place] = 1
    for index in attempt.goals.indices {
      marks[place + 1] = attempt.goals[index].isEligible ? 1 : 0
      marks[place + 2] = attempt.goals[index].isReached ? 1 : 0
      place += 2
    }
    for index in attempt.retention.indices {
      let result = attempt.retention[index]
      marks[place + 1] = result.isEligible ? 1 : 0
      marks[place + 2] = result.isEligible && result.cameBack ? 1 : 0
      place += 2
    }
  }

  private mutating func makeRoom() {
    keys = Array(repeating: 0, count: StratumRecorder.batch * rows.keyWidth)
    marks = Array(repeating: 0, count: StratumRecorder.batch * counterCount)
    hashes = Array(repeating: 0, count: StratumRecorder.batch)
  }

  /// Counts the persons that are noted.
  mutating func finish() {
    for person in 0..<noted { fetched ^= rows.touch(hashes[person]) }
    for person in 0..<noted {
      let row = rows.row(keys, at: person * rows.keyWidth, hash: hashes[person])
      rows.add(marks, from: person * counterCount, to: row)
    }
    noted = 0
  }

  /// Which persons row `index`, below `count`, counts.
  func stratum(_ index: Int) -> Stratum {
    Stratum(
      group: Int(rows.word(index, 0)),
      outcome: Outcome(rawValue: UInt8(truncatingIfNeeded: rows.word(index, 1))) ?? .open,
      week: Int(Int32(bitPattern: rows.word(index, 2))))
  }

  /// The code in row `index` of the value of the dimension that is the `place`-th known at entry.
  func value(_ place: Int, _ index: Int) -> UInt32 { rows.word(index, 3 + place) }

  /// The counters of row `index`.
  func counts(_ index: Int) -> [Int] {
    (0..<counterCount).map { Int(rows.word(index, rows.keyWidth + $0)) }
  }

  /// Adds the counters of row `index` to sums.
  func add(_ index: Int, to sums: inout [Int]) {
    for counter in sums.indices { sums[counter] += Int(rows.word(index, rows.keyWidth + counter)) }
  }

  /// Counters that count nobody.
  var noCounts: [Int] { Array(repeating: 0, count: counterCount) }
}
