import ArgumentParser
import EventInput
import FlowDefinition
import FunnelReport
import Timelines

/// Flow files.
struct FlowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flow", abstract: "Check flow files, show built-in ones, draft new ones.",
    subcommands: [Check.self, Show.self, Init.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read a flow file and tell every mistake with its place.")

    @Argument(help: "Flow files, or names of built-in flows.")
    var files: [String]

    func run() throws {
      try CommandFiles().read(flows: files)
      var isFine = true
      for file in files {
        do { try check(file) } catch {
          // With one file the mistake ends the command as ever; with more the rest is read too.
          if files.count == 1 { throw error }
          Console.message("\(error)")
          isFine = false
        }
      }
      if !isFine { throw ExitStatus.usage }
    }

    private func check(_ file: String) throws {
      let parsed = try FlowFile.read(file)
      for warning in parsed.warnings { Console.message(warning.description) }
      let flow = parsed.flow
      let steps = CountText.of(flow.steps.count, "step")
      let goals = CountText.of(flow.goals.count, "goal")
      Console.output(
        HiddenScalars.escaped(
          """
          \(file): fine
          flow \(flow.id): \(steps), \(goals)
          \(flow.choicesInWords)
          fingerprint \(flow.fingerprint)

          """, keepsLines: true))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a built-in flow file, to start one of your own from.")

    @Argument(help: "\(FlowFile.builtInNames.joined(separator: ", ")).")
    var name: String

    func run() throws {
      guard let text = FlowFile.builtInText(name) else {
        let near = NearestSpelling.of(name, among: FlowFile.builtInNames)
        throw CommandError(
          "no built-in flow '\(name)'; there are \(FlowFile.builtInNames.joined(separator: ", "))"
            + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      Console.output(text)
    }
  }

  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Look at a dump and draft a commented flow file for it.",
      discussion: "firstmile flow init dumps/ > my-app.yaml")

    @Argument(help: "Dumps, as for report.")
    var inputs: [String]

    @Option(help: "How the dumps are written; told from their first lines if not given.")
    var format: EventFormat.Name?

    @Option(help: "How many lines to look at.")
    var lines: Int = 300_000

    func validate() throws {
      if lines < 1 { throw ValidationError("--lines must be at least 1, found \(lines)") }
    }

    func run() throws {
      let (sources, problems, passedOver) = InputExpansion.expand(inputs)
      try CommandFiles().read(sources)
      Console.tell(passedOver: passedOver)
      for problem in problems { Console.message(problem.description) }
      let interruption = Interruption()
      defer { interruption.end() }
      interruption.say { "interrupted; nothing was drafted" }
      var sampler = DumpSampler(format: format)
      sampler.lineLimit = lines
      let sample = sampler.sample(sources)
      for problem in sample.problems { Console.message(problem.description) }
      let isUnread = !problems.isEmpty || !sample.problems.isEmpty
      if sample.events.isEmpty {
        if isUnread { throw ExitStatus.usage }
        Console.message("no event in the input: nothing to draft a flow from")
        throw ExitStatus.dataQuality
      }
      let draft = FlowDraft(sample)
      Console.output(draft.text)
      if !draft.hasPages {
        Console.message("no page of an onboarding was found: name the steps yourself")
      }
      if isUnread { throw ExitStatus.usage }
    }
  }
}
