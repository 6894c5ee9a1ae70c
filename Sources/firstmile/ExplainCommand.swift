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
    abstract: "Tell one person's facts in order, and why each outcome came out as it did.",
    discussion: "firstmile explain user-42 dumps/ --flow aiq")

  @Argument(
    help: """
      A user id or a device id as it stands in the events, or a #hash that check told; \
      \(PersonName.help).
      """)
  var person: String

  @Flag(help: "Show every fact; without it a long timeline is cut in the middle.")
  var all = false

  @OptionGroup var input: InputOptions

  func run() async throws {
    let name = try PersonName(person)
    let flows = try input.loadFlows()
    let key = try input.store.map { try StoreInput.key(of: $0) } ?? input.loadKey()
    let job = DumpRun(flows: flows, options: input, cohorts: .week, maximumRejectRate: 1)
    defer { job.finish() }
    let (user, devices) = name.hashes(key)
    let dump = try await job.read(watching: devices)
    Console.tell(problems: dump.problems)
    let wanted = dump.timelines.watchedPersons.union(devices)
      .union([dump.timelines.united.person(of: user)])
    let ofFlows = try flows.map { try job.alone(dump, $0).timelines }
    var found = 0
    for number in 0..<dump.timelines.partitionCount {
      let partition = try dump.timelines.partition(number)
      for (index, owner) in partition.keys.enumerated() where wanted.contains(owner) {
        for (flow, timelines) in zip(flows, ofFlows) {
          let evaluation = try job.evaluationOptions(timelines, flow)
          let explanation = try PersonExplanation(
            try timelines.partition(number), person: index, tables: timelines.tables, flow: flow,
            options: evaluation)
          explanation.write(
            flow: flow, person: person, horizonMilliseconds: evaluation.horizonMilliseconds,
            all: all, to: Console.output)
        }
        found += 1
      }
    }
    if found == 0 {
      Console.message("nobody with the id '\(person)' has a usable event in the input")
      throw ExitStatus.usage
    }
    // What could not be read may hold more of the same person.
    if !dump.problems.isEmpty { throw ExitStatus.usage }
  }
}
