import ArgumentParser
import EventInput
import FirstMile
import Foundation

/// The command line, rightmost in the data path: options in, files and exit status out. What is
/// computed of facts lives in the libraries to the left.
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
      StartCommand.self, ReportCommand.self, CompareCommand.self, CheckCommand.self,
      ValidateCommand.self,
      FunnelCommand.self, RetentionCommand.self, ReconcileCommand.self, IngestCommand.self,
      WatchCommand.self, ServeCommand.self,
      StoreCommand.self, ExplainCommand.self, TimelinesCommand.self, PowerCommand.self,
      SimulateCommand.self, FlowCommand.self, PartitionCommand.self, StitchCommand.self,
      SurveyCommand.self, TallyCommand.self, ShareCommand.self,
    ])

  static let version = FirstMileVersion.current

  static func main() async {
    FreeDescriptors.fillStandard()
    EndingSignals.ignoreFailures()
    let signals = Result { try EndingSignals.begin() }
    do {
      var command = try parsed(words)
      try ProcessLimits.check()
      try signals.get()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      leave()
    } catch {
      leave(with: error)
    }
  }

  /// The words of the command line after the program's name; bytes that are no UTF-8 are kept.
  private static var words: [String] {
    unsafe (1..<max(1, Int(CommandLine.argc))).compactMap { unsafe CommandLine.unsafeArgv[$0] }.map
    { word in
      unsafe InputPath.argument((0..<strlen(word)).map { unsafe UInt8(bitPattern: word[$0]) })
    }
  }

  /// - Throws: also for help and versions, which are errors with exit code 0.
  private static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let spelling = CommandLineSpelling(words)
    if words.first == "help", let mistake = spelling.mistake { throw CommandError(mistake) }
    do {
      return try parseAsRoot(spelling.withJoinedNumbers)
    } catch {
      // A misspelt word is the cause of whatever else is found to be missing.
      if exitCode(for: error) != .success, let mistake = spelling.mistake {
        throw CommandError(mistake)
      }
      throw error
    }
  }

  /// Help and versions are data; every other error is the user's to mend, and ends with 2 where
  /// the command did not choose a code of its own.
  private static func leave(with error: any Error) -> Never {
    if let code = error as? ExitCode { leave(code) }
    if exitCode(for: error) == .success {
      Console.output(fullMessage(for: error) + "\n")
      leave()
    }
    if Console.outputFailure == nil {
      Console.message(message(for: error).isEmpty ? fullMessage(for: error) : plain(error))
    }
    leave(ExitStatus.of(error))
  }

  private static func leave(_ code: ExitCode = .success) -> Never {
    var code = code
    // A report that did not reach its file must not look like one that did.
    if let reason = Console.outputFailure {
      Console.message("standard output can't be written to: \(reason)")
      code = ExitStatus.usage
    }
    Interruption.finishRun()
    if code == ExitStatus.usage { MadeFolders.end() }
    // Not by `exit`: libraries would take themselves apart while threads still use them, such as
    // those of a server's connections.
    fflush(nil)
    _exit(code.rawValue)
  }

  private static func plain(_ error: any Error) -> String {
    let text = fullMessage(for: error)
    let words = text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text
    return CommandLineSpelling.withNearestValue(words)
  }
}
