import ArgumentParser
import FunnelMetrics
import FunnelReport
import ReportText

/// Two runs, or two versions of a flow, side by side.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two metrics.json: what changed, and how much of it is who came.",
    discussion: """
      firstmile compare reports/january reports/february
      firstmile compare reports/trendy reports/trendy \\
        --before version=1 --after version=2

      Metrics with unlike fingerprints are marked and not tested. If all of them are unlike, the \
      comparison is refused, unless --unlike asks to see the numbers all the same.
      """)

  @Argument(help: "The metrics.json to compare with, or the folder of its report.")
  var baseline: String

  @Argument(help: "The metrics.json that is compared, or the folder of its report.")
  var current: String

  @Option(
    parsing: .singleValue,
    help: "Whose numbers of the first: version=NAME, or experiment=NAME and variant=NAME.")
  var before: [String] = []

  @Option(parsing: .singleValue, help: "Whose numbers of the second.")
  var after: [String] = []

  @Flag(help: "Show the numbers side by side even if the definitions differ in all of them.")
  var unlike = false

  @Flag(help: "Take every change apart, not only completion and what is shown to have changed.")
  var all = false

  @Flag(help: "Take differences apart by the flow's version too, as if people came with it.")
  var versions = false

  func run() throws {
    let files = CommandFiles()
    let (first, second) = (
      try RecordedReportFile(given: baseline).read(files),
      try RecordedReportFile(given: current).read(files)
    )
    let comparison = RunComparison(
      first, second, sliceBefore: try slice(before, "--before", first, baseline),
      sliceAfter: try slice(after, "--after", second, current), takesVersions: versions)
    if comparison.changes.isEmpty {
      throw CommandError("the two files have no rate in common for the persons asked for")
    }
    if comparison.isUnlike && !unlike {
      throw CommandError(
        "every metric means something else in '\(current)' than in '\(baseline)' (unlike "
          + "fingerprints); --unlike shows them side by side all the same")
    }
    Console.output(
      comparison.text(
        style: TerminalStyle(width: Console.outputColumns, color: Console.hasColor),
        takesAllApart: all))
  }

  private func slice(
    _ words: [String], _ option: String, _ report: RecordedReport, _ path: String
  ) throws -> ComparedSlice {
    var slice = ComparedSlice()
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw CommandError("\(option): found '\(word)'; allowed is name=value")
      }
      switch parts[0] {
      case "version": slice.version = parts[1]
      case "experiment": slice.experiment = parts[1]
      case "variant": slice.variant = parts[1]
      default:
        throw CommandError(
          "\(option): found '\(parts[0])'; allowed are version, experiment, variant")
      }
    }
    if slice.experiment == nil, let variant = slice.variant {
      guard let only = report.onlyExperiment else {
        throw CommandError(
          "\(option): say of which experiment: experiment=NAME beside variant=\(variant)")
      }
      slice.experiment = only
    }
    if let experiment = slice.experiment, slice.variant == nil {
      throw CommandError("\(option): say which variant of '\(experiment)': variant=NAME")
    }
    if let lacking = report.lacks(slice) { throw CommandError("\(option): '\(path)' \(lacking)") }
    return slice
  }
}
