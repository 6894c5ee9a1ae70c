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
  public var cohorts: CohortUnit

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
  }
}
