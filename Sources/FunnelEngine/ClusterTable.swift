internal import EventInput

/// How many people of each account (a household, a school, a company) entered with a variant and
/// what they did, for experiments that are compared by accounts.
///
/// Accounts are known by a hash of 64 bits, so that tables of several files and threads add up.
public struct ClusterTable: Sendable {
  /// The people of one variant who entered in one period of one split.
  public struct Part: Sendable, Hashable {
    /// Index into the flow's experiments.
    public var experiment: Int
    /// Index into the experiment's variants.
    public var variant: Int
    /// The number of the split that held at entry (`Experiment.periods`).
    public var period: Int
    /// Whether they met what the experiment is about; else they are only assigned.
    public var isExposed: Bool

    /// A part; of those who were exposed where nothing else is said.
    public init(experiment: Int, variant: Int, period: Int, isExposed: Bool = true) {
      self.experiment = experiment
      self.variant = variant
      self.period = period
      self.isExposed = isExposed
    }
  }

  /// Which counters are kept of each account.
  let columns: ClusterColumns
  private let goalCount: Int
  /// By part and account.
  private var rows: KeyedRows
  /// What people's goals with a value add up to, `goalCount` for each row.
  private var amounts: [AmountSum] = []

  private static let keyWidth = 6

  init(_ layout: CounterLayout) {
    columns = ClusterColumns(layout)
    goalCount = layout.goalCount
    rows = KeyedRows(keyWidth: Self.keyWidth, width: Self.keyWidth + columns.counters.count)
  }

  /// The hash of an account; 0 is for people without one.
  static func hash(_ name: String) -> UInt64 { max(1, NameTable.stableHash(of: name)) }

  private static func words(_ part: Part) -> [UInt32] {
    [part.experiment, part.variant, part.period, part.isExposed ? 1 : 0]
      .map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Adds people of an account.
  ///
  /// - Parameters:
  ///   - counts: by column.
  ///   - amounts: by goal.
  mutating func add(
    _ part: Part, account: UInt64, counts: [UInt32], amounts own: ArraySlice<AmountSum>
  ) {
    let key =
      Self.words(part)
      + [UInt32(truncatingIfNeeded: account), UInt32(truncatingIfNeeded: account >> 32)]
    add(key, counts: counts, amounts: own)
  }

  private mutating func add(
    _ key: [UInt32], counts: [UInt32], amounts own: ArraySlice<AmountSum>
  ) {
    let known = rows.count
    let row = rows.row(key, at: 0, hash: rows.hash(key, at: 0))
    if rows.count > known {
      amounts.append(contentsOf: repeatElement(AmountSum(), count: goalCount))
    }
    for (column, count) in counts.enumerated() {
      rows.add(count, to: row, Self.keyWidth + column)
    }
    for (goal, sum) in own.enumerated() { amounts[row * goalCount + goal].add(sum) }
  }

  mutating func merge(_ other: ClusterTable) {
    for row in 0..<other.rows.count {
      let words = (0..<other.rows.width).map { other.rows.word(row, $0) }
      add(
        Array(words.prefix(Self.keyWidth)), counts: Array(words.dropFirst(Self.keyWidth)),
        amounts: other.amounts[(row * goalCount)..<((row + 1) * goalCount)])
    }
  }

  /// What is written down of a row.
  struct Row {
    /// Its key, then its counters.
    var words: [UInt32]
    var amounts: [AmountSum]
  }

  /// In a fixed order.
  var written: [Row] {
    (0..<rows.count).map { row in
      Row(
        words: (0..<rows.width).map { rows.word(row, $0) },
        amounts: Array(amounts[(row * goalCount)..<((row + 1) * goalCount)]))
    }.sorted { $0.words.lexicographicallyPrecedes($1.words) }
  }

  /// Whether a row has the size of those of this table.
  func fits(_ row: Row) -> Bool {
    row.words.count == rows.width && row.amounts.count == goalCount
  }

  /// Adds a row that was written down; one that `fits`.
  mutating func add(_ row: Row) {
    add(
      Array(row.words.prefix(Self.keyWidth)), counts: Array(row.words.dropFirst(Self.keyWidth)),
      amounts: row.amounts[...])
  }

  /// People by account: those that some counters count, among those that another counts.
  ///
  /// - Parameter successes: counters of which each person is in one at most.
  public func sums(_ parts: [Part], of successes: [Int], among trials: Int) -> ClusterSums {
    let wanted = successes.map(columns.place)
    return sums(parts, among: trials) { row in
      let value = Int128(wanted.reduce(0) { $0 + count(row, $1) })
      return (value, value)
    }
  }

  /// Amounts, in millionths, by account, among the people that a counter counts.
  public func amounts(_ parts: [Part], ofGoal goal: Int, among people: Int) -> ClusterSums {
    sums(parts, among: people) { row in
      let sum = amounts[row * goalCount + goal]
      return (sum.millionths, sum.squares)
    }
  }

  /// - Parameter value: of a row the sum of people's values, and that of their squares.
  private func sums(
    _ parts: [Part], among trials: Int, _ value: (Int) -> (Int128, Int128)
  ) -> ClusterSums {
    let keys = parts.map(Self.words)
    let people = columns.place(trials)
    var sums = ClusterSums()
    // An account may have people in several parts, and is one all the same; in one part it has a
    // row of its own.
    var ofAccounts: [UInt64: (value: Int128, people: Int)] = [:]
    for row in 0..<rows.count where keys.contains(where: { isPart(row, $0) }) {
      let (sum, squares) = value(row)
      if account(row) == 0 {
        sums.add(value: sum, squares: squares, ofSingle: count(row, people))
      } else if parts.count == 1 {
        sums.add(value: sum, people: count(row, people))
      } else {
        let known = ofAccounts[account(row)] ?? (0, 0)
        ofAccounts[account(row)] = (known.value + sum, known.people + count(row, people))
      }
    }
    // Whole numbers: in whatever order they are added.
    for own in ofAccounts.values { sums.add(value: own.value, people: own.people) }
    return sums
  }

  /// How many accounts have people in several variants of an experiment, of how many.
  public func mixed(experiment: Int) -> (mixed: Int, all: Int) {
    var variants: [UInt64: UInt32] = [:]
    var mixed: Set<UInt64> = []
    for row in 0..<rows.count where rows.word(row, 0) == experiment && account(row) != 0 {
      let variant = rows.word(row, 1)
      if variants.updateValue(variant, forKey: account(row)) ?? variant != variant {
        mixed.insert(account(row))
      }
    }
    return (mixed.count, variants.count)
  }

  /// How many people of an experiment's variants have no account.
  public func peopleWithoutAccount(experiment: Int) -> Int {
    (0..<rows.count).reduce(0) { sum, row in
      rows.word(row, 0) == experiment && account(row) == 0 ? sum + count(row, 0) : sum
    }
  }

  private func isPart(_ row: Int, _ words: [UInt32]) -> Bool {
    words.indices.allSatisfy { rows.word(row, $0) == words[$0] }
  }

  private func account(_ row: Int) -> UInt64 {
    UInt64(rows.word(row, 4)) | UInt64(rows.word(row, 5)) << 32
  }

  private func count(_ row: Int, _ column: Int) -> Int {
    Int(rows.word(row, Self.keyWidth + column))
  }
}
