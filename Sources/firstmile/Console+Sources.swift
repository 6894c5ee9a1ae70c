import EventInput

extension Console {
  /// What was wrong with each source that could be read.
  static func tellProblems(of summaries: [SourceSummary]) {
    for summary in summaries {
      for damage in summary.damages { message("\(summary.name): \(damage)") }
      if let misnaming = summary.misnaming { message("\(summary.name): \(misnaming)") }
    }
  }
}
