/// Which persons of a report are compared: all of it, a version, or a variant.
public struct ComparedSlice: Sendable, Hashable {
  public var version: String?
  public var experiment: String?
  public var variant: String?

  public init(version: String? = nil, experiment: String? = nil, variant: String? = nil) {
    self.version = version
    self.experiment = experiment
    self.variant = variant
  }

  /// `all people`, `version 2`, `variant B of copy`
  public var words: String {
    if let version { return "flow version \(SafeText.name(version, limit: 40))" }
    guard let variant else { return "all people" }
    let of = experiment.map { " of \(SafeText.name($0, limit: 40))" } ?? ""
    return "variant \(SafeText.name(variant, limit: 40))\(of)"
  }

  func holds(_ row: RecordedReport.Row) -> Bool {
    row.version == version && row.experiment == experiment && row.variant == variant
  }
}
