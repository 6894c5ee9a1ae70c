/// Who came back in which period, by cohort.
public struct RetentionCohorts: Sendable, Hashable {
  /// A cohort's people in one period after their start.
  public struct Cell: Sendable, Hashable {
    /// People for whom the period has begun.
    public internal(set) var begun = 0
    /// People for whom it is over, and of whose events in it the data miss no more than a tenth.
    public internal(set) var over = 0
    /// People for whom it is over, and of whose events in it the data miss more.
    public internal(set) var lacking = 0
    /// People who came back, also those for whom the period goes on.
    public internal(set) var returned = 0
    /// Of those who came back, the people who are in ``over``.
    public internal(set) var returnedOver = 0

    static func += (left: inout Cell, right: Cell) {
      left.begun += right.begun
      left.over += right.over
      left.lacking += right.lacking
      left.returned += right.returned
      left.returnedOver += right.returnedOver
    }
  }

  /// The people who started in one period, and how many of them came back.
  public struct Cohort: Sendable, Hashable {
    /// How many people are in the cohort.
    public internal(set) var size = 0
    /// By period, beginning with the cohort's own.
    public internal(set) var cells: [Cell]

    init(periods: Int) { cells = Array(repeating: Cell(), count: periods + 1) }

    static func += (left: inout Cohort, right: Cohort) {
      left.size += right.size
      for index in left.cells.indices { left.cells[index] += right.cells[index] }
    }
  }

  /// By the number of the cohort's period; periods in which no one started are not there.
  public internal(set) var cohorts: [Int: Cohort] = [:]
  /// The number of the last period after a cohort's own.
  public let periods: Int

  init(periods: Int) { self.periods = periods }

  /// All cohorts together: a person is in it once for each cohort.
  public var sum: Cohort {
    cohorts.values.reduce(into: Cohort(periods: periods)) { $0 += $1 }
  }

  mutating func add(_ cohort: Cohort, to number: Int) {
    cohorts[number, default: Cohort(periods: periods)] += cohort
  }

  mutating func merge(_ other: RetentionCohorts) {
    for (number, cohort) in other.cohorts { add(cohort, to: number) }
  }
}
