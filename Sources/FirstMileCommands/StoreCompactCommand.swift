import ArgumentParser
import FirstMileStore

/// Makes reading a store cost what its facts cost.
struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Merge what was ingested one by one, so that reports read less.",
    discussion: "Changes no report. Others can read meanwhile; other writers wait.")

  @Argument(help: "The store.")
  var store: String

  @Option(help: "How many seconds to wait for another process that writes to the store.")
  var wait: Int = 600

  func validate() throws { try StoreOptions.check(wait: wait) }

  func run() throws {
    try CommandFiles().use(store: store, isOutput: true)
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted; the store is whole" }
    let store = try FactStore(
      path: store, access: .write, waiting: StoreOptions.waiting(store, seconds: wait))
    let done = try store.compact()
    try store.close()
    Console.output(
      done.packsBefore == done.packsAfter
        ? "nothing to merge: \(done.packsAfter) packs\n"
        : "\(done.packsBefore) packs became \(done.packsAfter)\n")
  }
}
