import ArgumentParser

@main
struct FirstMile: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "firstmile")
}
