import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing
import Timelines

/// The real computation, end to end, on lines: files in a folder of their own → rows.
struct Evaluated {
  let rows: [ReferenceRow]
  let quality: [String: Int]
  let horizonMilliseconds: Int64?
  let summaries: [SourceSummary]
  let analysis: Analysis
  /// What the rows were counted from.
  let timelines: Timelines
  let options: EvaluationOptions

  /// - Parameters:
  ///   - files: the lines of each file.
  ///   - threads: how many workers read and evaluate.
  ///   - key: what ids are hashed with.
  ///   - others: flows that the same facts are read for.
  ///   - oldRules: rules that are taken as the first edition had them.
  init(
    files: [[String]], flow: Flow, options: ReferenceOptions = ReferenceOptions(), threads: Int = 1,
    key: IdentifierKey = .fixed, beside others: [Flow] = [], oldRules: Set<ChangedRule> = []
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var sources: [InputSource] = []
    for (index, lines) in files.enumerated() {
      let file = folder.appendingPathComponent("\(index).ndjson")
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      sources.append(.file(file.path))
    }
    let schema = try FactSchema(flows: others + [flow])
    let reader = TimelineLoader(
      schema: schema, key: key, threads: threads,
      latestMilliseconds: options.asOfMilliseconds ?? .max)
    let (read, summaries) = try await reader.read(sources, rejects: nil)
    let timelines = others.isEmpty ? read : try read.narrowed(to: FactSchema(flows: [flow]))
    self.timelines = timelines
    let horizon = options.asOfMilliseconds ?? timelines.span?.horizonMilliseconds
    var evaluation = EvaluationOptions(
      asOf: options.asOfMilliseconds, span: timelines.span,
      fromMilliseconds: options.fromMilliseconds, toMilliseconds: options.toMilliseconds,
      cohorts: EvaluationOptions.CohortUnit(rawValue: options.cohort.rawValue) ?? .week)
    evaluation.historyFromMilliseconds = options.historyFromMilliseconds
    evaluation.oldRules = oldRules
    evaluation.leaveOut(flow, of: timelines, key: key)
    self.options = evaluation
    let tally = try await FlowEvaluator.tally(
      timelines, flow: flow, options: evaluation, threads: threads)
    let counts = try timelines.counts
    analysis = Analysis(of: tally, flow)
    rows = analysis.rows.compactMap(Evaluated.row)
    horizonMilliseconds =
      counts.facts > 0 || options.asOfMilliseconds != nil ? horizon : nil
    self.summaries = summaries
    quality = [
      "ambiguous_pages": tally.quality.ambiguousPages,
      "page_conflicts": tally.quality.pageConflicts,
      "skip_contradictions": tally.quality.skipPageConflicts,
      "undeclared_pages": tally.quality.undeclaredPages.values.reduce(0, +),
      "views_outside_list": tally.quality.viewsOutsideList,
      "implied_starts": tally.quality.impliedStarts,
      "ends_of_other_flows": tally.quality.endsOfOtherFlows.values.reduce(0, +),
      "exposed_later": tally.quality.exposedLater.reduce(0, +),
      "facts_after_horizon": tally.quality.factsAfterHorizon + counts.factsTooLate,
      "misdated_facts": tally.quality.misdatedFacts,
      "misdated_persons": tally.quality.misdatedPersons,
      "shared_devices": counts.sharedDevices,
      "devices_with_several_users": counts.devicesWithSeveralUsers,
      "devices_with_users": counts.devicesWithUsers,
      "alias_groups_too_large": counts.aliasGroupsTooLarge,
      "orphans": tally.quality.orphans, "existing_users": tally.quality.existingUsers,
      "existing_users_finished": tally.quality.existingUsersFinished,
      "activity_only": tally.quality.activityOnly, "left_out": tally.quality.leftOut,
      "began_before": tally.quality.beganBefore,
      "weeks_after_beginning": tally.quality.weeksAfterBeginning,
    ]
  }

  /// Counts, rates and percentiles as the reference tells them; `nil` for what it has not.
  private static func row(_ row: MetricRow) -> ReferenceRow? {
    var numerator = row.numerator
    if row.unit == .seconds, let value = row.value {
      numerator = Int((value * 1000).rounded())
    }
    if row.metric == .goalValueTotal, let value = row.value {
      numerator = Int((value * 1e6).rounded())
    }
    if row.metric == .goalValuePerEvent, let value = row.value {
      numerator = Int((value * Double(row.denominator ?? 0) * 1e6).rounded())
    }
    guard let numerator else { return nil }
    return ReferenceRow(
      version: row.slice.version, experiment: row.slice.experiment, variant: row.slice.variant,
      cohort: row.slice.cohort, breakdown: row.slice.breakdownText, metric: row.metric.rawValue,
      step: row.step, numerator: numerator, denominator: row.denominator)
  }

  /// Where it differs from the reference. Rows of nothing over nothing are left out on both sides.
  func disagreements(with reference: ReferenceResult) -> [String] {
    func telling(_ rows: [ReferenceRow]) -> [ReferenceRow] {
      rows.filter { $0.denominator != 0 }
    }
    var found = Disagreement.between(
      reference: telling(reference.rows), other: telling(rows), zeroIsAbsence: true)
    if horizonMilliseconds != reference.horizonMilliseconds {
      found.append("horizon \(horizonMilliseconds ?? -1), \(reference.horizonMilliseconds ?? -1)")
    }
    return found
  }
}
