import EventInput

extension Console {
  /// What was wrong with each source that could be read.
  static func tellProblems(of summaries: [SourceSummary]) {
    for summary in summaries {
      for damage in summary.damages { message("\(summary.name): \(damage)") }
      if let misnaming = summary.misnaming { message("\(summary.name): \(misnaming)") }
    }
  }

  /// Files that a search of folders left out because they are called like rejected lines.
  static func tell(passedOver paths: [InputPath]) {
    for path in paths {
      message(
        "\(path): passed over, because it is named like the rejected lines of an earlier run; to "
          + "read it, name the file itself")
    }
  }
}
