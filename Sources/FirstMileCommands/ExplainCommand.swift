import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport
import Timelines

/// One person's timeline and outcomes.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show one person's facts in order, and why each outcome came out as it did.",
    discussion: """
      firstmile explain user-42 dumps/ --flow aiq
      firstmile explain user-42 dumps/ --flow aiq --page user-42.html
      """)

  @Argument(
    help: """
      A user id or a device id as it stands in the events, or a #hash from check, timelines or \
      report --people; \(PersonName.help).
      """)
  var person: String

  @Flag(help: "Show every fact; without it a long timeline is cut in the middle.")
  var all = false

  @Option(
    help: ArgumentHelp(
      """
      Draw the timeline to scale on a page instead. Only you can read the file; the person is a \
      hash there.
      """, valueName: "file"))
  var page: String?

  @OptionGroup var input: InputOptions

  func run() async throws {
    let name = try PersonName(person)
    let flows = try input.loadFlows()
    if page != nil && flows.count > 1 {
      throw CommandError(
        "--page is about one flow, and \(flows.count) are given; choose one with --flow")
    }
    let key = try input.store.map { try StoreInput.key(of: $0) } ?? input.loadKey()
    let job = AnalysisRun(flows: flows, options: input, cohorts: .week, maximumRejectRate: 1)
    defer { job.finish() }
    let place = try page.map { try job.files.write($0, as: "--page") }
    let (user, devices) = name.hashes(key)
    if user.isMissing {
      throw CommandError(
        "'\(person)' is no id: it counts as a missing one, so its events belong to a "
          + "device, or to no person (definitions 3.1)")
    }
    let dump = try await job.read(watching: devices)
    dump.tellUnread()
    let wanted = dump.timelines.watchedPersons.union(devices)
      .union([dump.timelines.united.person(of: user)])
    var people: [PersonTimeline] = []
    for flow in flows {
      let explanations = try Explanations(dump, flow, job)
      try explanations.forEach(wanted) { key, explanation in
        people.append(PersonTimeline(name: "#\(key.hexadecimal)", explanation: explanation))
        if place != nil { return }
        explanation.write(
          flow: flow, person: person,
          horizonMilliseconds: explanations.options.horizonMilliseconds, all: all,
          to: Console.output)
      }
      if let place, !people.isEmpty {
        try place.replace(isPrivate: true, with: explanations.page(people, title: nil))
      }
    }
    if people.isEmpty {
      Console.message("nobody with the id '\(person)' has a usable event in the input")
      throw ExitStatus.usage
    }
    if let place { Console.message("the timeline is in \(place.given)") }
    try dump.endIfUnread()
  }
}
