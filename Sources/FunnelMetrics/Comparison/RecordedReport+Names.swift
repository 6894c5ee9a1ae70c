internal import FlowDefinition
internal import ReportText

extension RecordedReport {
  /// What of a slice the report knows nothing of, with what it has instead; `nil` if it has all.
  public func lacks(_ slice: ComparedSlice) -> String? {
    if let version = slice.version {
      let known = names { $0.version }
      if !known.contains(version) { return words("version", version, known) }
    }
    if let experiment = slice.experiment, let variant = slice.variant {
      let known = names { $0.experiment }
      if !known.contains(experiment) { return words("experiment", experiment, known) }
      let variants = names { $0.experiment == experiment ? $0.variant : nil }
      if !variants.contains(variant) {
        return words(
          "variant", variant, variants, of: " of experiment '\(SafeText.name(experiment))'")
      }
    }
    return nil
  }

  /// The report's experiment, if it has just one.
  public var onlyExperiment: String? {
    let experiments = names { $0.experiment }
    return experiments.count == 1 ? experiments[0] : nil
  }

  /// In the order of the rows.
  private func names(_ name: (Row) -> String?) -> [String] {
    var seen: Set<String> = []
    return metrics.rows.compactMap(name).filter { $0 != "all" && seen.insert($0).inserted }
  }

  private func words(_ what: String, _ name: String, _ known: [String], of whose: String = "")
    -> String
  {
    // A missing value can be asked for, but is nothing to propose.
    let known = known.filter { $0 != "(none)" }
    let near = NearestSpelling.of(name, among: known)
    let others = known.prefix(20).map { SafeText.name($0, limit: 40) }.joined(separator: ", ")
    return "has no \(what) '\(SafeText.name(name, limit: 40))'\(whose); "
      + (known.isEmpty ? "it has none" : "there are \(others)")
      + (near.map { "; did you mean '\(SafeText.name($0, limit: 40))'?" } ?? "")
  }
}
