internal import FlowDefinition
internal import FunnelEngine
public import FunnelMetrics

/// What some data is worth: every check, and the grade that the worst of them gives.
public struct Validation: Sendable {
  /// Every check, in the order of the data's path: lines, facts, people, experiments, pages …
  public let checks: [ValidationCheck]
  /// The worst grade that any check gives.
  public let grade: DataGrade
  let flowId: String
  package let horizonMilliseconds: Int64
  let arrivals: ArrivalTable

  /// - Parameter report: of the same data, by the same options: its own grade is never better than
  ///   this one.
  public init(_ input: ValidationInput, report: Report) {
    let shared = DataChecks(report, factsOfEvent: input.inspection.factsOfEvent)
    checks =
      shared.lines + Self.lines(input) + shared.facts + Self.delivery(input) + shared.people
      + Self.persons(input) + shared.experiments + shared.pages + Self.pages(input)
      + shared.events + Self.events(input) + shared.definitions + Self.versions(input)
      + Self.privacy(report.provenance)
    grade = checks.compactMap(\.grade).max() ?? .a
    flowId = input.flow.id
    horizonMilliseconds = input.horizonMilliseconds
    arrivals = input.arrivals
  }

  /// The checks that keep the grade from being an A, the worst first.
  public var reasons: [ValidationCheck] {
    let faults = checks.filter { $0.grade.map { $0 > .a } ?? false }
    return DataGrade.allCases.reversed().flatMap { grade in faults.filter { $0.grade == grade } }
  }

  /// Up to when so large a share of the events has arrived, in milliseconds since 1970; `nil`
  /// where nothing is known of arrivals.
  public func completeUntil(share: Double) -> Int64? {
    arrivals.hours(forShare: share).map { horizonMilliseconds - Int64($0) * 3_600_000 }
  }
}
