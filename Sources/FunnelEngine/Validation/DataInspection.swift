public import FlowDefinition
public import Timelines

/// What the timelines of a run say about the data itself: what is declared and missing, what is
/// there and not declared, and what can't have happened.
public struct DataInspection: Sendable {
  /// Quality counts of the facts that were looked at.
  public private(set) var quality: QualityCounts
  /// By the app version of a person's first onboarding fact; `(none)` where it has none or the
  /// flow declares no dimension `app_version`.
  public private(set) var byAppVersion: [String: PersonChecks] = [:]
  /// Distinct facts by the event's name.
  public private(set) var factsOfEvent: [String: Int] = [:]
  /// Facts that satisfy each of the flow's event patterns, in the order of `Flow.eventPatterns`.
  public private(set) var factsOfPattern: [Int]
  /// Facts of each permission of the flow.
  public private(set) var factsOfPermission: [Int]
  /// Facts that bear each variant, by experiment.
  public private(set) var factsOfVariant: [[String: Int]]
  /// Facts that have a value of each dimension of the flow.
  package private(set) var factsOfDimension: [Int]

  /// All app versions together.
  public var all: PersonChecks {
    byAppVersion.values.reduce(into: PersonChecks()) { $0.merge($1) }
  }

  /// Looks at every person.
  ///
  /// - Throws: as `FlowEvaluator.tally`.
  public static func inspect(
    _ timelines: Timelines, flow: Flow, options: EvaluationOptions, threads: Int
  ) async throws -> DataInspection {
    let compiled = try CompiledFlow(flow, tables: timelines.tables)
    let shares = try await timelines.visit(
      threads: threads,
      begin: { InspectionWorker(compiled, options: options) },
      add: { $0.add($1) },
      finish: { $0.finish() })
    var empty = InspectionWorker(compiled, options: options)
    var sum = empty.finish()
    for share in shares { sum.merge(share, compiled) }
    return sum.inspection
  }

  init(_ share: InspectionShare, _ compiled: CompiledFlow) {
    quality = share.quality
    let places = compiled.places
    factsOfPattern = Array(repeating: 0, count: compiled.patterns.patterns.count)
    factsOfPermission = Array(repeating: 0, count: compiled.flow.permissions.count)
    factsOfVariant = compiled.flow.experiments.map { _ in [:] }
    factsOfDimension = compiled.flow.dimensions.map { _ in 0 }
    for (code, count) in share.factsOfAction.enumerated() where count > 0 {
      let action = compiled.actions[code]
      let name = compiled.tables.actionValue(code, at: places.event)
      factsOfEvent[compiled.tables.name(ofActionValue: name, at: places.event), default: 0] += count
      if action.permission >= 0 { factsOfPermission[Int(action.permission)] += count }
      for pattern in compiled.patternSets.patterns(of: action.patternSet) {
        factsOfPattern[Int(pattern)] += count
      }
    }
    for (code, count) in share.factsOfContext.enumerated() where count > 0 {
      for (experiment, place) in compiled.variantPlaces.enumerated() {
        let value = compiled.contextValue(code, at: place)
        guard value != 0 else { continue }
        let name = compiled.tables.name(ofContextValue: value, at: place)
        factsOfVariant[experiment][name, default: 0] += count
      }
      for (dimension, place) in compiled.dimensionPlaces.enumerated()
      where compiled.contextValue(code, at: place) != 0 {
        factsOfDimension[dimension] += count
      }
    }
    for (value, checks) in share.checksOfVersion {
      let place = share.versionPlace ?? 0
      let name = value == 0 ? "(none)" : compiled.tables.name(ofContextValue: value, at: place)
      byAppVersion[name, default: PersonChecks()].merge(checks)
    }
  }
}
