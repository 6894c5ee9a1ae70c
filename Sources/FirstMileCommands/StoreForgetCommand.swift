import ArgumentParser
import EventInput
import FirstMileStore
import FlowDefinition
import ReportText

/// A person's right to be forgotten.
struct StoreForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Erase a person from a store for good: facts, rejects, and what comes later.",
    discussion: """
      Erases the facts of the user, of devices that only this user used, and on shared devices \
      what belongs to the user. Hashed tombstones stay, so that late files bring nothing back. \
      The dumps themselves are not touched. Rejected lines that the store misses end the command \
      with exit code 2 after all else was erased.

      An id that nothing in the store has is refused, because it may be misspelt; --yes makes \
      tombstones for it, and --undo takes them back as long as nothing was erased for them.

      firstmile store forget onboarding.sqlite user-42
      """)

  @Argument(help: "The store.")
  var store: String

  @Argument(
    help: "A user id or a device id, as it stands in the events; with one # more if it has one.")
  var person: String

  /// What an id may be.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case user, device
  }

  @Option(
    name: .customLong("as"),
    help: "What the id is, where one person's user id is the id of another's device.")
  var kind: Kind?

  @Flag(help: "Keep this id out from now on even if nothing in the store has it.")
  var yes = false

  @Flag(help: "Take back that an id is to be kept out, if nothing was erased for it.")
  var undo = false

  @Flag(help: "Files of rejected lines that the store misses were deleted, not moved.")
  var rejectsGone = false

  @Option(help: "How many seconds to wait for other processes that are at work in the store.")
  var wait: Int = 600

  func validate() throws {
    try StoreOptions.check(wait: wait)
    if yes && undo { throw ValidationError("--yes and --undo exclude each other") }
  }

  func run() throws {
    guard case .id(let id) = try PersonName(person) else {
      throw CommandError(
        "'\(person)' is a hash; name the user or device id as it stands in the events, because "
          + "only that can be known again in files to come (\(PersonName.help)). Nothing was "
          + "erased.")
    }
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say {
      "interrupted; run the same command again, so that nothing of the person stays"
    }
    try CommandFiles().use(store: store, isOutput: true)
    let opened = try FactStore(
      path: store, access: .write, waiting: StoreOptions.waiting(store, seconds: wait))
    if undo {
      try takeBack(try opened.undoForgetting(id))
      return try opened.close()
    }
    let done = try opened.forget(
      id, as: kind.map { $0 == .user ? .user : .device }, evenIfUnknown: yes)
    if done.isUnknown && !yes {
      let reasons = [unknown(try opened.knownSpellings(like: id)), missing(done)]
      throw CommandError(reasons.compactMap { $0 }.joined(separator: "\n"))
    }
    try opened.close()
    try tell(done)
  }

  private func tell(_ done: FactStore.Forgetting) throws {
    if let others = done.usersOfDeviceOfThatName {
      let who = others == 0 ? "no user" : CountText.of(others, "other user")
      throw CommandError(
        """
        '\(person)' is a user's id, and the id of a device on which \(who) was seen. Say which is \
        meant: --as user, or --as device. Nothing was erased.
        """)
    }
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
    if !done.flowsNaming.isEmpty {
      let flows = done.flowsNaming.map { "'\($0)'" }.listed
      Console.message(
        "the store's copy of the flow \(flows) left this person out by an id, which is gone from "
          + "it: take the id out of the flow file as well, or the next command brings it back")
    }
    let left = [held(done), missing(done)].compactMap { $0 }
    if !left.isEmpty { throw CommandError(left.joined(separator: "\n")) }
    if done.factsErased == 0 && done.rejectsErased == 0 && done.flowsNaming.isEmpty {
      Console.message(
        "nothing more of '\(person)' was in the store; what comes with this id later is kept out")
    }
  }

  private func held(_ done: FactStore.Forgetting) -> String? {
    if done.lacksSpace {
      return """
        no command sees what was erased any more, but its bytes are still in '\(store)' or \
        '\(store)-wal', because there is no space to write the file anew, which takes as much as \
        the store has, there and in the folder for temporary files (TMPDIR). Make room and run the \
        same command again; it then says nothing of this.
        """
    }
    guard done.isHeldByReaders else { return nil }
    return """
      no command sees what was erased any more, but its bytes are still in '\(store)' or \
      '\(store)-wal', because another process went on reading the store for \(wait) s. They go \
      when the same command is run again after that process has ended; it then says nothing of \
      this.
      """
  }

  /// What to say of rejected lines that could not be looked through.
  private func missing(_ done: FactStore.Forgetting) -> String? {
    guard let missing = done.missingRejects, !rejectsGone else { return nil }
    return """
      \(CountText.of(missing.lines, "rejected line")) of \
      \(CountText.of(missing.sources, "source")) should be in '\(missing.folder)' and are not, so \
      that they may still name the person elsewhere. If the store was moved, renamed or copied, \
      move the folder of rejects after it and run the same command again; if the lines were \
      deleted, give --rejects-gone.
      """
  }

  /// What to say of an id that nothing in the store has.
  private func unknown(_ spellings: [String]) -> String {
    let meant = spellings.map { "'\($0)'" }.joined(separator: " or ")
    return """
      nothing in the store has the id '\(person)', \
      \(kind.map { "as a \($0)" } ?? "neither a user nor a device"), and no rejected \
      line names it. Nothing was changed.\(meant.isEmpty ? "" : " Did you mean \(meant)?") \
      With --yes, what comes with this id later is kept out.
      """
  }

  private func takeBack(_ undoing: FactStore.Undoing) throws {
    switch undoing {
    case .undone:
      Console.output(
        HiddenScalars.escaped("what comes with the id '\(person)' is kept again") + "\n")
      Console.message(
        "what was left out meanwhile comes back with: firstmile ingest --again FILE… "
          + "--store \(store)")
    case .notForgotten:
      throw CommandError("the id '\(person)' is not kept out. Nothing was changed.")
    case .hasErased(let count):
      throw CommandError(
        """
        \(NumberText.grouped(count)) facts and rejects of '\(person)' were erased, so that it \
        stays kept out. Nothing was changed.
        """)
    }
  }
}
