import ArgumentParser

/// The command line, rightmost in the data path: options in, files and exit status out. What is
/// worth a test of its own lives in the libraries to the left.
@main
struct FirstMile: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firstmile",
    abstract: "Onboarding funnels from event dumps, per A/B variant.",
    discussion: """
      Exit codes: 0 fine, 1 a check failed, 2 usage, flow file or input that can't be read, \
      3 inconclusive where asked to fail on it, 4 data quality.
      """,
    version: FirstMile.version,
    subcommands: [
      ReportCommand.self, ExplainCommand.self, SimulateCommand.self, FlowCommand.self,
    ])

  static let version = "0.1.0"
}
