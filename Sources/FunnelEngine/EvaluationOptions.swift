public import EventInput
public import FlowDefinition
public import Timelines

/// What a run chooses beyond the flow file.
///
/// `FunnelEngine` stands fourth in the data path: timelines + flow → attempts → `Tally`. It is a
/// pure function of facts: no files, no clock, no statistics, no words. Its result, the tally, is
/// the joint of the whole program: files, threads, days, stores and clusters all make the same one,
/// and everything to its right exists once.
public struct EvaluationOptions: Sendable, Hashable {
  /// How persons are grouped by the day of their entry.
  public enum CohortUnit: String, Sendable, Hashable, CaseIterable {
    case day, week, month
  }

  /// Facts later than this are set aside.
  public var horizonMilliseconds: Int64
  /// Facts outside are misdated and set aside too.
  public var datedMilliseconds: ClosedRange<Int64>
  /// Only persons whose attempt began at or after this.
  public var fromMilliseconds: Int64?
  /// Only persons whose attempt began before this.
  public var toMilliseconds: Int64?
  /// Facts before this are set aside, as if the data began there.
  public var historyFromMilliseconds: Int64?
  /// How long the cohorts are: days, ISO weeks or months of entry.
  public var cohorts: CohortUnit
  /// Only persons whose attempt was with this version of the flow; `nil` for those of all.
  public var flowVersion: String?
  /// The persons whose ids the flow leaves out.
  public private(set) var leftOutPersons: Set<IdentifierHash> = []
  /// Rules that are taken as the first edition of the definitions had them.
  public var oldRules: Set<ChangedRule> = []

  /// When the first date of the data with enough persons begins; `nil` where the data begin then.
  private var knownSinceMilliseconds: Int64?
  /// Up to when the facts say that they are complete, whatever was asked for.
  private var dataEndMilliseconds = Int64.max
  /// As above, of facts none of which is misdated for being late.
  private var latestMilliseconds = Int64.max
  /// The dates on which hardly anybody has facts, because a part of the data is missing.
  private(set) var missingDates: [Range<Int64>] = []

  /// Options with a known horizon, for all versions and by today's rules.
  ///
  /// - Parameters:
  ///   - datedMilliseconds: the times that belong to the data; facts outside are misdated.
  ///   - fromMilliseconds: only attempts that begin then or later; `nil` for all.
  ///   - toMilliseconds: only attempts that begin before; `nil` for all.
  public init(
    horizonMilliseconds: Int64, datedMilliseconds: ClosedRange<Int64> = .min ... .max,
    fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil, cohorts: CohortUnit = .week
  ) {
    self.horizonMilliseconds = horizonMilliseconds
    self.datedMilliseconds = datedMilliseconds
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.cohorts = cohorts
  }

  /// - Parameters:
  ///   - asOf: the moment up to which the data are said to be complete; found from the facts where
  ///     `nil`. Nothing up to it is misdated for being late.
  ///   - span: what the facts say; `nil` without facts.
  public init(
    asOf: Int64?, span: DataSpan?, fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil,
    cohorts: CohortUnit = .week
  ) {
    let dated = span?.datedMilliseconds ?? .min ... .max
    self.init(
      horizonMilliseconds: asOf ?? span?.horizonMilliseconds ?? 0,
      datedMilliseconds: asOf == nil ? dated : dated.lowerBound ... .max,
      fromMilliseconds: fromMilliseconds, toMilliseconds: toMilliseconds, cohorts: cohorts)
    knownSinceMilliseconds = span?.knownFromMilliseconds
    dataEndMilliseconds = span?.horizonMilliseconds ?? .max
    latestMilliseconds = span?.latestMilliseconds ?? .max
    missingDates = (span?.missingDays ?? []).map {
      $0.startMilliseconds..<$0.startMilliseconds + AttemptEvaluator.dayMilliseconds
    }
  }

  /// Finds the persons whose ids the flow leaves out: each person that a user id stands for, and
  /// those who have the id of a device and no other.
  ///
  /// - Parameter key: what the timelines' ids were hashed with.
  public mutating func leaveOut(_ flow: Flow, of timelines: Timelines, key: IdentifierKey) {
    leftOutPersons = flow.leaveOut.ids.reduce(into: []) { persons, id in
      let hashes = key.deviceHashes(of: id).union([key.hash(of: id, domain: .user)])
      for hash in hashes where !hash.isMissing { persons.insert(timelines.united.person(of: hash)) }
    }
  }

  /// From when on people are known: the first date of the data with enough persons (definitions
  /// 17), or what is set as their beginning.
  public var knownFromMilliseconds: Int64 {
    let known = knownSinceMilliseconds ?? datedMilliseconds.lowerBound
    return max(known, historyFromMilliseconds ?? .min, 0)
  }

  /// How many whole days the facts end before the moment up to which they are said to be complete.
  public var daysAfterData: Int {
    let day = AttemptEvaluator.dayMilliseconds
    return latestMilliseconds < horizonMilliseconds
      ? Int((horizonMilliseconds - latestMilliseconds) / day) : 0
  }

  /// Whether what began then is asked for.
  func isInPeriod(_ time: Int64) -> Bool {
    time >= fromMilliseconds ?? .min && time < toMilliseconds ?? .max
  }

  /// The dates that lie wholly in the data, before the date of their end, and in the period.
  func wholeDays(_ calendar: CivilCalendar) -> ClosedRange<Int>? {
    let begin = max(knownFromMilliseconds, fromMilliseconds ?? 0)
    let first = calendar.day(of: begin)
    let end = min(horizonMilliseconds, dataEndMilliseconds, toMilliseconds ?? .max)
    let whole = (
      first: calendar.start(ofDay: first) < begin ? first + 1 : first,
      last: calendar.day(of: end) - 1
    )
    return whole.first <= whole.last ? whole.first...whole.last : nil
  }
}
