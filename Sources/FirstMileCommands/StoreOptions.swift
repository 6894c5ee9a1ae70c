import ArgumentParser
import FirstMileStore

/// Options of the commands that write to a store.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store: a SQLite file; ingest makes it if it is not there.")
  var store: String

  @Option(help: "How many seconds to wait for another process that writes to the store.")
  var wait: Int = 600

  func validate() throws { try StoreOptions.check(wait: wait) }

  static func check(wait: Int) throws {
    if wait < 0 { throw ValidationError("--wait is a number of seconds from 0, found \(wait)") }
  }

  var waiting: FactStore.Waiting { StoreOptions.waiting(store, seconds: wait) }

  static func waiting(_ store: String, seconds: Int) -> FactStore.Waiting {
    FactStore.Waiting(seconds: seconds) {
      Console.message(
        "another process is at work in '\(store)'; waiting for it, at most \(seconds) s")
    }
  }
}
