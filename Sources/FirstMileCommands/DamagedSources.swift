import EventInput
import FirstMileStore
import ReportText

/// Damaged files whose figures count in a store: they count until the whole file comes from the
/// same path, or until they are taken out.
struct DamagedSources {
  private let store: String
  private let numbers: [Int64]

  /// `nil` where dumps were read, or no file is damaged.
  init?(_ dump: AnalysisRun.Dump, store: String?) {
    guard let store, let snapshot = dump.snapshot else { return nil }
    let damaged = snapshot.sources.filter { $0.replacedBy == nil && !$0.summary.damages.isEmpty }
    if damaged.isEmpty { return nil }
    self.store = store
    numbers = damaged.map(\.id)
  }

  /// What to do about them, after what is said of them.
  var advice: String {
    "; where a file is in whole under another name, take the damaged one out: `\(dropping)`"
  }

  /// The command line that takes them out.
  var dropping: String {
    (["firstmile", "store", "drop", store] + numbers.map(String.init)).map(ShellText.word)
      .joined(separator: " ")
  }
}
