import ArgumentParser
import FlowDefinition

/// Flow files.
struct FlowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flow", abstract: "Check flow files and show built-in ones.",
    subcommands: [Check.self, Show.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read a flow file and tell every mistake with its place.")

    @Argument(help: "Flow files, or names of built-in flows.")
    var files: [String]

    func run() throws {
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
      Console.output(
        """
        \(file): fine
        flow \(flow.id): \(flow.steps.count) steps, \(flow.goals.count) goals
        \(flow.choicesInWords)
        fingerprint \(flow.fingerprint)

        """)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a built-in flow file, to start one of your own from.")

    @Argument(help: "\(FlowFile.builtInNames.joined(separator: ", ")).")
    var name: String

    func run() throws {
      guard let text = FlowFile.builtInText(name) else {
        throw CommandError(
          "no built-in flow '\(name)'; there are \(FlowFile.builtInNames.joined(separator: ", "))")
      }
      Console.output(text)
    }
  }
}
