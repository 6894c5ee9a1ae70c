/// A tally as it is written down: rows in a fixed order, and no ids. `docs/tallies.md` names all of
/// its members.
///
/// Groups (a version, variants, periods) stand once and are named by their number.
public struct TallyRecord: Codable, Sendable {
  struct Group: Codable, Sendable {
    var version: String
    var variants: [Variant]
    var periods: [Int]
  }

  /// Where people stand in an experiment.
  struct Variant: Codable, Sendable {
    /// `unassigned`, `outside`, `assigned`, `notExposed`, `contaminated` or `first`.
    var state: String
    var name: String?
    var names: [String]?
  }

  /// Counters of a cell.
  struct Cell: Codable, Sendable {
    var group: Int
    var dimension: String
    var value: String
    var counts: [Int]
  }

  struct GroupCounts: Codable, Sendable {
    var group: Int
    var counts: [Int]
  }

  struct GoalValue: Codable, Sendable {
    var group: Int
    var dimension: String
    var value: String
    var goal: Int
    var name: String
    var people: Int
  }

  /// Sums of a goal in a cell, as decimal digits.
  struct GoalSums: Codable, Sendable {
    var group: Int
    var dimension: String
    var value: String
    var goal: Int
    var sums: [String]
  }

  struct AmountBuckets: Codable, Sendable {
    var group: Int
    var goal: Int
    var buckets: [AmountBucket]
  }

  struct AmountBucket: Codable, Sendable {
    var bucket: Int
    var people: Int
    /// Sum, sum of squares, largest.
    var sums: [String]
  }

  /// Durations: a bucket's lower edge in milliseconds, its count, and so on.
  struct Times: Codable, Sendable {
    var group: Int
    var usedSkip: Bool
    /// `step`, `moveOn`, `complete` or `goal`.
    var measure: String
    var index: Int?
    var buckets: [Int64]
  }

  struct Survival: Codable, Sendable {
    var group: Int
    var measure: String
    var buckets: [Int64]
  }

  struct Next: Codable, Sendable {
    var group: Int
    var furthest: Int?
    /// `none`, `view` or `named`.
    var event: String
    var step: Int?
    var name: String?
    /// A bucket, its count, and so on.
    var buckets: [Int]
  }

  struct Stratum: Codable, Sendable {
    var group: Int
    var outcome: Int
    var values: [String]
    var counts: [Int]
  }

  struct Account: Codable, Sendable {
    var words: [UInt32]
    /// Of each goal: sum, sum of squares.
    var sums: [String]
  }

  /// A release of the app, and for each day since 1970-01-01 on which somebody started with it the
  /// day, how many started, how many of them are mature, and how many of these finished.
  struct ReleaseDays: Codable, Sendable {
    var dimension: String
    var value: String
    var counts: [Int]
  }

  /// What those did who started with a version of the flow on a day, since 1970-01-01.
  struct VersionDay: Codable, Sendable {
    var version: String
    var day: Int
    var counts: [Int]
  }

  var groups: [Group]
  var cells: [Cell]
  var crossedCells: [Cell]
  var transitions: [GroupCounts]
  var goalValues: [GoalValue]
  var amounts: [GoalSums]
  var amountEvents: [GoalSums]
  var amountHistograms: [AmountBuckets]
  var times: [Times]
  var survival: [Survival]
  var nextEvents: [Next]
  var strata: [Stratum]
  var releaseDays: [ReleaseDays]
  var versionDays: [VersionDay]
  /// Days on which somebody started, each with how many did.
  var starts: [Int]
  /// Of each day on which mature persons started the day, and what they did.
  var progress: [[Int]]
  /// The first and the last day that lies wholly in the data and in the period, or nothing.
  var wholeDays: [Int]
  var accounts: [Account]
  var quality: QualityCounts
  var eventNames: [String]
  var goalsWithoutNumber: [Int]
  var goalsWithLostNumbers: [Int]
  var people: OddPeople.Record?
  var partialCohorts: [String]
}

/// A written tally that does not fit the flow, or whose members make no sense.
public struct TallyMisfit: Error, Hashable {}
