internal import ReportText

/// Which persons of a report are compared: all of it, a version, or a variant.
public struct ComparedSlice: Sendable, Hashable {
  /// Only people of this version of the flow; `nil` for all.
  public var version: String?
  /// The id of the experiment that ``variant`` belongs to.
  public var experiment: String?
  /// Only people with this variant of ``experiment``; `nil` for all.
  public var variant: String?

  /// Names a version, or an experiment and its variant; without either it is the whole report.
  public init(version: String? = nil, experiment: String? = nil, variant: String? = nil) {
    self.version = version
    self.experiment = experiment
    self.variant = variant
  }

  /// `all people`, `flow version 2`, `variant B of copy`, by the titles that a report has. All
  /// people of a report of one version are that version's.
  package func words(in report: RecordedReport) -> String {
    let only = variant == nil ? report.options?["flow_version"] : nil
    if let version = version ?? only { return "flow version \(SafeText.name(version, limit: 40))" }
    guard let variant else { return "all people" }
    let own = report.metrics.experiments?.first { $0.id == experiment }
    let title = own?.arms.first { $0.variant == variant }?.title ?? variant
    let of = experiment.map { " of \(SafeText.name(own?.title ?? $0, limit: 60))" } ?? ""
    return "variant \(SafeText.name(title, limit: 40))\(of)"
  }

  package func holds(_ row: RecordedReport.Row) -> Bool {
    row.version == version && row.experiment == experiment && row.variant == variant
  }
}
