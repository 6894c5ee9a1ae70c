import ArgumentParser
import FirstMileStore
import FlowDefinition
import ReportText

/// Whether every byte of a store is as it was written.
struct StoreVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read a whole store and compare it with its digests and counts.",
    discussion: "Ends with exit code 4 where something is damaged, and names it.")

  @Argument(help: "The store.")
  var store: String

  func run() throws {
    try CommandFiles().use(store: store)
    let found = try FactStore.verify(path: store)
    for damage in found.damages { Console.message("\(store): \(damage)") }
    if !found.damages.isEmpty {
      Console.message(
        "\(found.damages.count) damaged parts; ingesting the dumps into a new store mends them")
      throw ExitStatus.dataQuality
    }
    Console.output(
      "\(HiddenScalars.escaped(store)): fine, \(CountText.of(found.segments, "segment")) with "
        + "\(CountText.of(found.facts, "fact"))\n")
  }
}
