import ArgumentParser
import FlowDefinition
import Foundation

/// The list of people that a report writes where it is asked for.
struct PeopleOptions: ParsableArguments {
  @Option(
    name: .customLong("people"),
    help: ArgumentHelp(
      """
      Also write a CSV file with one row per person: variant, version, outcome, furthest step and \
      last event. Only you can read the file, and people are hashes, which explain accepts.
      """, valueName: "file"))
  var file: String?

  @Flag(
    help: """
      Add each person's id as the events have it to the --people file; the dumps are read a second \
      time. Needs a confirmation.
      """)
  var rawIds = false

  @Flag(help: "Confirm --raw-ids without a question.")
  var yesRawIds = false

  mutating func validate() throws {
    if (rawIds || yesRawIds) && file == nil {
      throw ValidationError("--raw-ids needs --people FILE: the ids are written there")
    }
    if yesRawIds && !rawIds {
      throw ValidationError("--yes-raw-ids confirms --raw-ids, which is not given")
    }
  }

  /// Asks once more before raw ids are written.
  ///
  /// - Throws: `CommandError` where the answer is no, or nobody is there to answer.
  func confirm() throws(CommandError) {
    guard rawIds, !yesRawIds, let file else { return }
    guard isatty(0) == 1 && isatty(2) == 1 else {
      throw CommandError(
        "--raw-ids writes people's ids into '\(file)'; confirm it with --yes-raw-ids")
    }
    Console.terminal(
      "'\(HiddenScalars.escaped(file))' will hold people's ids as your events have them.\n"
        + "Write them? Type yes: ")
    if readLine() != "yes" { throw CommandError("not confirmed; nothing was read or written") }
  }
}
