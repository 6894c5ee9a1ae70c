import ArgumentParser
import EventStore
import FunnelReport

/// A person's right to be forgotten.
struct StoreForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Erase a person from a store for good: facts, rejects, and what comes later.",
    discussion: """
      Erases the facts of the user, of devices that only this user used, and on shared devices \
      what belongs to the user. Hashed tombstones stay, so that late files bring nothing back. \
      The dumps themselves are not touched.
      """)

  @Argument(help: "The store.")
  var store: String

  @Argument(help: "A user id or a device id, as it stands in the events.")
  var person: String

  @Option(help: "How many seconds to wait for another process that writes to the store.")
  var wait: Int = 600

  func validate() throws { try StoreOptions.check(wait: wait) }

  func run() throws {
    if person.hasPrefix("#") {
      throw CommandError(
        "'\(person)' is a hash; name the user or device id as it stands in the events, because "
          + "only that can be known again in files to come. Nothing was erased.")
    }
    let opened = try EventStore(
      path: store, access: .write, waiting: StoreOptions.waiting(store, seconds: wait))
    let done = try opened.forget(person)
    try opened.close()
    if done.usersOfNamedDevice > 1 {
      throw CommandError(
        """
        the device was used by \(done.usersOfNamedDevice) users; name the user who is to be \
        forgotten. Nothing was erased.
        """)
    }
    Console.output(
      """
      erased \(CountText.of(done.factsErased, "fact")) and \
      \(CountText.of(done.rejectsErased, "reject")) of \(CountText.of(done.users, "user id")) \
      and \(CountText.of(done.devices, "device")); they will not come back

      """)
    if done.factsErased == 0 && done.rejectsErased == 0 {
      Console.message(
        "nothing in the store had the id '\(person)': is it spelt as in the events? What comes "
          + "with it later is kept out all the same")
    }
  }
}
