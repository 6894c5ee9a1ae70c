import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport
import Timelines

/// Sampled timelines of the people who left at a step.
struct TimelinesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timelines",
    abstract: "Draw sampled timelines of the people who left at a step.",
    discussion: """
      firstmile timelines dumps/ --flow aiq --left-at privacy --page privacy.html

      People are chosen by their hashes, so that what they did doesn't matter; one dump always \
      gives one page.
      """)

  @Option(
    help: ArgumentHelp(
      "The furthest step that they saw; (entry) for those who saw none.", valueName: "step"))
  var leftAt: String

  @Option(
    help: ArgumentHelp(
      "Where the page goes. Only you can read the file; people are hashes.", valueName: "file"))
  var page: String

  @Option(help: "How many people, from 1 to 200.")
  var sample = 20

  @OptionGroup var input: InputOptions

  func validate() throws {
    if !(1...200).contains(sample) {
      throw ValidationError("--sample is a number of people from 1 to 200, found \(sample)")
    }
  }

  func run() async throws {
    let flow = try input.loadFlow()
    let title = try stepTitle(flow)
    let job = AnalysisRun(flows: [flow], options: input, cohorts: .week, maximumRejectRate: 1)
    defer { job.finish() }
    let place = try job.files.write(page, as: "--page")
    let dump = try await job.read()
    dump.tellUnread()
    let explanations = try Explanations(dump, flow, job)
    let all = try explanations.leftAt(leftAt)
    guard !all.isEmpty else {
      Console.message("nobody whose window is over left \(title)")
      throw ExitStatus.usage
    }
    let chosen = Set(all.sorted().prefix(sample))
    var people: [(IdentifierHash, PersonTimeline)] = []
    try explanations.forEach(chosen) { key, explanation in
      people.append(
        (key, PersonTimeline(name: "#\(key.hexadecimal)", explanation: explanation)))
    }
    people.sort { $0.0 < $1.0 }
    let words = PersonPage.title(shown: people.count, of: all.count, left: title)
    try place.replace(
      isPrivate: true, with: explanations.page(people.map(\.1), title: words))
    Console.message("\(words): \(place.given)")
    try dump.endIfUnread()
  }

  /// `at Sign in`, `before the first step`.
  private func stepTitle(_ flow: Flow) throws(CommandError) -> String {
    if leftAt == "(entry)" { return "before the first step" }
    if let step = flow.steps.first(where: { $0.id == leftAt }) { return "at \(step.title)" }
    let known = flow.steps.map(\.id).joined(separator: ", ")
    let near = NearestSpelling.of(leftAt, among: flow.steps.map(\.id) + ["(entry)"])
      .map { "did you mean '\($0)'? " }
    throw CommandError(
      "the flow '\(flow.id)' has no step '\(leftAt)'; \(near ?? "")its steps are \(known), and "
        + "(entry) for people who saw none")
  }
}
