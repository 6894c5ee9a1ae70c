import ArgumentParser
import FlowDefinition

extension FlowCommand {
  /// Code for the apps that report a flow's events.
  struct SwiftCalls: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "swift",
      abstract: "Print Swift calls for the events of a flow, so that a wrong name doesn't compile.",
      discussion: """
        The code needs the library OnboardingEvents, which has no dependencies. \
        docs/library.md shows how to use it.

        firstmile flow swift my-app.yaml > Sources/App/OnboardingCalls.swift
        """)

    @Argument(help: "A flow file, or the name of a built-in flow.", completion: .flows)
    var flow: String

    func run() throws {
      try CommandFiles().read(flows: [flow])
      let parsed = try FlowFile.read(flow)
      for warning in parsed.warnings { Console.message(warning.description) }
      Console.output(parsed.flow.swiftText(madeBy: "firstmile flow swift \(flow)"))
    }
  }
}
