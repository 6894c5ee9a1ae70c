import ArgumentParser
import EventInput
import FirstMileStore
import ReportText

/// Takes what some sources gave out of a store.
struct StoreDropCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Take the facts of some sources out of a store.",
    discussion: """
      For a file that should not be in, or is in with an earlier content. `store info --sources` \
      has the numbers. A dropped file is passed over from then on; `ingest --again` brings it back.

      firstmile store drop onboarding.sqlite 4
      """)

  @Argument(help: "The store.")
  var store: String

  @Argument(help: "The numbers of the sources.")
  var sources: [Int64]

  @Option(help: "How many seconds to wait for another process that writes to the store.")
  var wait: Int = 600

  func validate() throws {
    try StoreOptions.check(wait: wait)
    if Set(sources).count < sources.count {
      throw ValidationError("each source is named once, found \(sources)")
    }
  }

  func run() throws {
    try CommandFiles().use(store: store, isOutput: true)
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted; the store is whole" }
    let opened = try FactStore(
      path: store, access: .write, waiting: StoreOptions.waiting(store, seconds: wait))
    let dropped = try opened.drop(sources: sources)
    try opened.close()
    for source in dropped {
      let name = SafeText.name(source.summary.name, limit: 4096)
      Console.output("dropped \(source.id)  \(name)  \(CountText.of(source.facts, "fact"))\n")
    }
  }
}
