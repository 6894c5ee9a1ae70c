internal import FlowDefinition
public import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// What an index says about one report: headline rates, what stands out, verdicts, grade.
///
/// Written into `index.json` beside the reports, so that the index of later runs still knows the
/// earlier ones.
public struct IndexEntry: Codable, Sendable, Hashable {
  /// A rate of everyone, with its trend.
  struct Rate: Codable, Sendable, Hashable {
    var metric: MetricName
    /// For readers: `Completion`.
    var name: String
    var numerator: Int?
    var denominator: Int?
    /// Shares from 0 to 1; the interval is of 95 %.
    var value: Double?
    var low: Double?
    var high: Double?
    /// What the flow's targets ask for at least.
    var target: Double?
    /// By when people started, in order.
    var points: [Point]
  }

  struct Point: Codable, Sendable, Hashable {
    var cohort: String
    var value: Double
    var low: Double?
    var high: Double?
  }

  /// How many targets have each verdict.
  struct Targets: Codable, Sendable, Hashable {
    var met: Int
    var missed: Int
    var undecided: Int
    var total: Int

    /// Of these nothing can be said: the data lack what they are about.
    var unknown: Int { total - met - missed - undecided }
  }

  /// The flow's id.
  public var flow: String
  var title: String
  /// The report's folder, seen from the index: `aiq`, `aiq/2026-01-31`.
  public var folder: String
  /// The last complete day that the report is up to, where it is one of a series.
  public var day: String?
  var people: Int
  /// `5 Jan – 3 Jul 2026`
  var started: String?
  var rates: [Rate]
  /// A sentence, and what follows it.
  var headline: String
  var detail: String?
  /// Of an experiment, if there is one; the first that can be decided.
  var decision: String?
  var isReady: Bool
  var targets: Targets?
  var grade: String
  var gradeMeaning: String
  var gradeReason: String?

  /// - Parameters:
  ///   - folder: of the report, relative to that of the index.
  ///   - day: of a report in a series.
  public init(_ report: Report, folder: String, day: String? = nil) {
    let analysis = report.analysis
    flow = analysis.flow.id
    title = analysis.flow.title
    self.folder = folder
    self.day = day
    people = analysis.row(.entered)?.numerator ?? 0
    started = ReportWords.dates(report)
    rates = IndexEntry.rates(analysis)
    let decisions = Decision.all(analysis, horizon: report.provenance.horizonMilliseconds)
    let leader = decisions.first { $0.tone == .ready } ?? decisions.first
    decision = leader?.title
    isReady = leader?.tone == .ready
    if let lead = IndexEntry.leading(report.findings) {
      // All flows of an index are to fit on one screen.
      let short: String? =
        switch lead.kind {
        case .afterDenial: DenialFinding(analysis: analysis).short()
        case .version: "\(lead.claim.text)."
        default: nil
        }
      (headline, detail) = ReportWords.firstAndRest(short ?? lead.text)
    } else if let said = report.headline {
      (headline, detail) = ("\(said.claim).", said.detail)
    } else {
      (headline, detail) = ReportWords.firstAndRest("Nobody started in these data.")
    }
    let checks = TargetCheck.all(analysis)
    targets =
      checks.isEmpty
      ? nil
      : Targets(
        met: checks.count { $0.verdict == .met }, missed: checks.count { $0.verdict == .missed },
        undecided: checks.count { $0.verdict == .unclear },
        total: checks.count)
    let grade = ReportGrade(report)
    self.grade = grade.letter.rawValue
    gradeMeaning = grade.verdict
    gradeReason = grade.reasons.first?.text
  }

  /// An alarm, else the first that somebody can act on. Experiments and targets have places of
  /// their own, and that nothing stands out is not what stands out.
  private static func leading(_ findings: [Finding]) -> Finding? {
    findings.first { $0.tone == .alarm }
      ?? findings.first { $0.tone != .neutral && ![.experiment, .target].contains($0.kind) }
  }

  private static func rates(_ analysis: Analysis) -> [Rate] {
    var named = [(MetricName.completionRate, "Completion")]
    if let measure = RetentionMeasure.telling(analysis) {
      named.append((.retention(measure), measure.words.capitalizedFirst))
    }
    return named.compactMap { metric, name in
      guard !analysis.unmeasured.contains(metric), let row = analysis.row(metric) else {
        return nil
      }
      let points = analysis.cohorts().compactMap { cohort -> Point? in
        guard !analysis.isPartial(cohort), let row = analysis.row(metric, in: cohort),
          let value = row.value
        else { return nil }
        return Point(cohort: cohort.cohort, value: value, low: row.low, high: row.high)
      }
      let target = analysis.flow.targets.lazy.compactMap { target -> Double? in
        guard target.metric == metric, target.step.isEmpty, target.slice.isEmpty,
          case .atLeast(let least) = target.bound
        else { return nil }
        return least
      }.first
      return Rate(
        metric: metric, name: name, numerator: row.numerator, denominator: row.denominator,
        value: row.value, low: row.low, high: row.high, target: target, points: points)
    }
  }
}
