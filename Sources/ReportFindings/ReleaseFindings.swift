internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// Whether completion changed with a release of the app: of the people who started with it against
/// those who started with the release before.
package struct ReleaseFindings {
  package let analysis: Analysis

  /// Of each dimension of releases the last one that completion is shown to have changed with, else
  /// the last of all. Two dimensions may have the same releases under two names: then the first.
  func drafts() -> [FindingDraft] {
    // Of a release without completions it is said elsewhere that its completion is unknown.
    let all = ReleaseChange.all(analysis).filter { !$0.isWithoutCompletions }
    let dimensions = analysis.flow.releaseDimensions
    var known: Set<[Int?]> = []
    return dimensions.compactMap { dimension in
      let own = all.filter { $0.release.breakdown.dimension == dimension.id }
      guard let change = own.last(where: \.isShown) ?? own.last else { return nil }
      let people = [change.rateBefore.row, change.rate.row].flatMap {
        [$0.numerator, $0.denominator]
      }
      guard known.insert(people).inserted else { return nil }
      let missing = MissingStartsWords(change.missingStarts(analysis))
      let gaps = ReleaseBesideGaps(change, analysis)
      let alike = ReleaseAmongAlike(change, analysis)
      let otherwise = change.otherwise(alike)
      let beside = Self.gapsClaim(gaps, change)
      // Where a difference may be that of lost events, so may be its place.
      let step = otherwise == nil && beside == nil ? ReleaseStep(change, analysis) : nil
      let detail =
        Self.detail(change, step, missing) + besideGaps(gaps, change)
        + (alike.map(amongAlike) ?? "") + incomparable(change) + beyond(dimension)
        + " \(Self.observational)"
      let isShown = otherwise == nil && gaps?.isShownToo ?? (missing == nil)
      return FindingDraft(
        kind: .release, tone: isShown ? change.tone : .neutral,
        claim: claim(change, of: dimensions.count > 1 ? dimension.id : nil)
          + (otherwise.map { otherwiseClaim($0, change) }
            ?? ((beside ?? "") + Self.place(step, change))),
        detail: detail, chart: ChartID("breakdowns", dimension.id))
    }
  }

  /// `; most of it is at Profile`
  private static func place(_ step: ReleaseStep?, _ change: ReleaseChange) -> Sentence {
    if let step = change.blockingStep {
      return "; nobody gets past \(SafeText.name(step.title, limit: 60))"
    }
    guard let step else { return "" }
    let title = SafeText.name(step.step.title, limit: 60)
    return step.share >= 0.5 ? "; most of it is at \(title)" : "; the largest part is at \(title)"
  }

  /// `, but it is higher among people of the same country`
  private func otherwiseClaim(_ alike: ReleaseAmongAlike, _ change: ReleaseChange) -> Sentence {
    let bounds = alike.difference.interval
    let kind = kind(alike)
    guard bounds.lower > 0 || bounds.upper < 0 else { return ", but not among \(kind)" }
    if (bounds.lower > 0) == (change.difference.estimate > 0) {
      return ", but by much less among \(kind)"
    }
    return ", but it is \(bounds.lower > 0 ? "higher" : "lower") among \(kind)"
  }

  /// `people of the same country and language`
  private func kind(_ alike: ReleaseAmongAlike) -> String {
    let names = alike.dimensions.map {
      SafeText.name(analysis.flow.words(ofDimension: $0.id), limit: 30)
    }
    return "people of the same \(Self.short(names))"
  }

  /// ` Among people of the same country: +4.6 points (+1.2 to +8.0).`
  private func amongAlike(_ alike: ReleaseAmongAlike) -> Sentence {
    let bounds = alike.difference.interval
    return """
       Among \(kind(alike)): \(RateText.signedNumber(alike.difference.estimate)) points \
      (\(RateText.signedNumber(bounds.lower)) to \(RateText.signedNumber(bounds.upper))).
      """
  }

  /// `, but not without the weeks of which events are missing`
  private static func gapsClaim(_ gaps: ReleaseBesideGaps?, _ change: ReleaseChange) -> Sentence? {
    guard let gaps, change.isShown, !gaps.isShownToo else { return nil }
    return ", but not without the weeks of which events are missing"
  }

  /// ` Without the weeks of which events are missing: +4.6 points (+1.2 to +8.0; 900 people).`
  private func besideGaps(_ gaps: ReleaseBesideGaps?, _ change: ReleaseChange) -> Sentence {
    guard let gaps else { return "" }
    guard let difference = gaps.difference else {
      return " Events of some weeks are missing, which may explain a difference."
    }
    let bounds = difference.interval
    return """
       Without the weeks of which events are missing: \(gaps.basis.ofSameDays)\
      \(RateText.signedNumber(difference.estimate)) points \
      (\(RateText.signedNumber(bounds.lower)) to \(RateText.signedNumber(bounds.upper)); \
      \(ReportWords.people(gaps.people))).
      """
  }

  /// ` Most people of release 2.0 have nobody, or very few, of the same country with 1.0, so that
  /// may be the cause.`
  func incomparable(_ change: ReleaseChange) -> Sentence {
    guard change.isShown else { return "" }
    let names = ReleaseAmongAlike.incomparable(change, analysis).map {
      SafeText.name(analysis.flow.words(ofDimension: $0.id), limit: 30)
    }
    guard !names.isEmpty else { return "" }
    let releases = [change.release, change.before].map {
      SafeText.name($0.breakdown.value, limit: 24)
    }
    return """
       Most people of release \(releases[0]) have nobody, or very few, of the same \
      \(Self.short(names)) with \(releases[1]), so that may be the cause.
      """
  }

  /// ` 320 people started with other releases: of more than 100 not all are kept, and a newer one
  /// may be among them.`
  private func beyond(_ dimension: Dimension) -> Sentence {
    var others = Slice.all
    others.breakdown = BreakdownKey(dimension: dimension.id, value: "(other)")
    guard let people = analysis.row(.entered, in: others)?.numerator, people > 0 else { return "" }
    return """
       \(ReportWords.people(people)) started with other releases: of more than 100 not all are \
      kept, and a newer one may be among them.
      """
  }

  private static func short(_ names: [String]) -> String {
    (names.count > 3 ? Array(names.prefix(2)) + ["\(names.count - 2) more"] : names).listed
  }

  /// - Parameter dimension: what the release is a value of, where there are several.
  private func claim(_ change: ReleaseChange, of dimension: String?) -> Sentence {
    var names = [change.release, change.before].map {
      SafeText.name($0.breakdown.value, limit: 24)
    }
    if let dimension { names[0] += " (\(SafeText.name(dimension, limit: 24)))" }
    guard change.isShown else {
      return """
        Release \(names[0]): no clear change in completion, \(change.rateBefore.saidRate) → \
        \(change.rate.saidRate) after \(names[1])
        """
    }
    return """
      Completion is \(change.verdict) with release \(names[0]) than with \(names[1])\
      \(change.isOtherThanRates ? " among people of the same days" : ""): \
      \(change.rateBefore.saidRate) → \(change.rate.saidRate)
      """
  }

  private static func detail(
    _ change: ReleaseChange, _ step: ReleaseStep?, _ missing: MissingStartsWords?
  ) -> Sentence {
    let caution =
      missing.map { " Starts are missing (\($0.dates)), which may explain a difference." } ?? ""
    let blocked =
      change.blockingStep == nil
      ? "" : " The step stops everybody, or nothing after it is sent any more."
    let numbers: Sentence = """
      (\(change.rateBefore.saidCount) of \(change.rateBefore.saidTotal), then \
      \(change.rate.saidCount) of \(change.rate.saidTotal); \(change.ofSameDays)\(change.points) \
      points, \(RateText.level(change.level)) CI \(change.interval)).\(caution)\(blocked)
      """
    guard let step else { return numbers }
    return numbers + """
       Of those who reach \(SafeText.name(step.step.title, limit: 60)), \
      \(step.leftBefore.saidRate) left it before and \(step.left.saidRate) leave it now.
      """
  }

  package static let observational =
    "People chose when to update, and a release may bring a new flow version: an observation, not "
    + "an experiment."
}

extension ComparedDays.Basis {
  /// `among people who started on the same days `, where a difference is theirs.
  var ofSameDays: String {
    self == .sameDays ? "among people who started on the same days " : ""
  }
}

extension ReleaseChange {
  /// `among people who started on the same days `, where the difference is theirs.
  package var ofSameDays: String { basis.ofSameDays }

  /// Whether the rates of everybody moved the other way, or not at all.
  package var isOtherThanRates: Bool {
    guard let now = rate.row.value, let then = rateBefore.row.value else { return false }
    return isShown && (now - then) * difference.estimate <= 0
  }

  /// `+3.0`
  package var points: String { RateText.signedNumber(difference.estimate) }

  /// `−13.7 to +20.9`
  package var interval: String {
    let bounds = difference.interval
    return "\(RateText.signedNumber(bounds.lower)) to \(RateText.signedNumber(bounds.upper))"
  }

  package var tone: Finding.Tone {
    !isShown ? .neutral : difference.estimate > 0 ? .good : .bad
  }

  /// `no clear change`
  package var verdict: String {
    switch tone {
    case .good: "higher"
    case .bad: "lower"
    default: "no clear change"
    }
  }
}
