import EventInput
import FirstMileStore
import FlowDefinition
import ReportText

extension Console {
  /// What was wrong with each source that could be read.
  static func tellProblems(of summaries: [SourceSummary]) {
    for summary in summaries {
      for damage in summary.damages { message("\(summary.name): \(damage)") }
      tell(passedOverIn: summary)
      if let misnaming = summary.misnaming { message("\(summary.name): \(misnaming)") }
    }
    tellChanges(of: summaries)
    tellNamedByName(summaries)
    tellMappings(of: summaries)
    for summary in summaries where summary.hasSharedMessages {
      message(
        "\(summary.name): what is read as the events' own id stands at events of several people, "
          + "so it is none, and of events that differ in nothing but less than ten seconds only "
          + "one counts; leave it out with 'fields: {message_id: X}' in the flow file, where X is "
          + "the column of the events' ids, or none of the columns")
    }
  }

  /// Tables that may be of something else, where others name their events as tables of events do.
  private static func tellNamedByName(_ summaries: [SourceSummary]) {
    let read = summaries.filter { $0.events > 0 }
    guard read.contains(where: { !$0.isNamedByNameAlone }) else { return }
    for summary in read where summary.isNamedByNameAlone {
      message(
        "\(summary.name): its rows count as events by a column 'name', as customers, products and "
          + "projects have one, and other inputs name theirs in a column of their own; if it is a "
          + "table of something else, leave it out")
    }
  }

  /// How many lines of a source could not be used, and where they are.
  static func tellRejects(of source: StoredSource, in folder: String) {
    let (rejects, lines) = (source.summary.rejects, source.summary.lines)
    if rejects == 0 { return }
    message(
      "\(source.summary.name): \(rejects) of \(CountText.of(lines, "line")) could not be used; "
        + "\(rejects == 1 ? "it is" : "they are") in \(folder)")
  }

  /// Who was kept of a source though somebody forgotten may be the same person.
  static func tellForgotten(_ source: StoredSource) {
    if source.usersOfForgotten == 0 { return }
    let isOne = source.usersOfForgotten == 1
    message(
      "\(source.summary.name): events say of \(CountText.of(source.usersOfForgotten, "user")) that "
        + "\(isOne ? "it is" : "they are") one person with somebody who was forgotten. What "
        + "\(isOne ? "this user" : "these users") did was kept: `firstmile store forget` erases "
        + "it, by the id that these events name")
  }

  /// Which files were passed over though nothing of them counts, or ever did.
  static func tellGone(_ outcomes: [SourceIngest.Outcome], of store: FactStore) throws {
    let passed = outcomes.compactMap {
      if case .passedOver(let number) = $0 { number } else { nil as Int64? }
    }
    if passed.isEmpty { return }
    let numbers = Set(passed)
    let sources = try store.sources().filter { numbers.contains($0.id) }
    tell(
      sources.filter(\.isGone), "passed over, though nothing of it counts any more",
      "`firstmile ingest --again` brings it back")
    tell(
      sources.filter { !$0.isGone && $0.summary.events == 0 && $0.summary.faults > 0 },
      "passed over, though no line of it could be used",
      "`firstmile ingest --again` reads it with the flow file and the format as they are now")
  }

  private static func tell(_ sources: [StoredSource], _ what: String, _ advice: String) {
    if sources.isEmpty { return }
    let shown = sources.prefix(3).map { "'\($0.summary.name)'" }.joined(separator: ", ")
    let rest = sources.count > 3 ? " and \(sources.count - 3) more" : ""
    message("\(what): \(shown)\(rest); \(advice)")
  }

  /// Files of an archive that were left out.
  static func tell(passedOverIn summary: SourceSummary) {
    let files = summary.passedOverFiles
    if files.isEmpty { return }
    let rest = files.count > namedFiles ? " and \(files.count - namedFiles) more" : ""
    message(
      "\(CountText.of(files.count, "file")) of an archive passed over (no events): "
        + files.prefix(namedFiles).joined(separator: ", ") + rest)
  }

  /// Inputs that could not be read.
  static func tell(problems: [InputProblem]) {
    for problem in problems {
      let near = problem.kind == .nothingThere ? NearestFile.of(problem.name) : nil
      message(problem.description + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  /// Files that a search of folders left out.
  static func tell(passedOver files: [PassedOverFile]) {
    for file in files where file.reason == .rejects {
      message(
        "\(file.path): passed over, because it is named like the rejected lines of an earlier run; "
          + "to read it, name the file itself")
    }
    for file in files where file.reason == .repeatsOthers {
      message(
        "\(file.path): passed over, because it has all calls once more, whose properties are in "
          + "their events' own tables; to read it, leave those out")
    }
    for file in files {
      guard case .partOfTable(let advice) = file.reason else { continue }
      message("\(file.path): of this table a file is read that was named, though it \(advice)")
    }
    let named = files.filter {
      if case .partOfTable = $0.reason { return false }
      return ![.rejects, .repeatsOthers].contains($0.reason)
    }
    // Those that may have been meant come first.
    let others =
      named.filter { $0.reason != .noEvents } + named.filter { $0.reason == .noEvents }
    if others.isEmpty { return }
    let shown = others.prefix(Self.namedFiles).map(words)
    let rest = others.count - shown.count
    message(
      "\(CountText.of(others.count, "file")) passed over: \(shown.joined(separator: ", "))"
        + (rest > 0 ? " and \(rest) more" : "") + "; to read one, name it itself")
  }

  /// How many of them are named.
  private static let namedFiles = 20

  private static func words(_ file: PassedOverFile) -> String {
    switch file.reason {
    case .rejects, .repeatsOthers, .noEvents, .partOfTable: "\(file.path) (no events)"
    case .unfinished: "\(file.path) (still being written, by its name)"
    case .foreign(let kind): "\(file.path) (\(kind))"
    }
  }
}
