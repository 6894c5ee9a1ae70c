import ArgumentParser
import FirstMileStore

/// The exit codes, the same for all commands.
enum ExitStatus {
  static let checkFailed = ExitCode(1)
  static let usage = ExitCode(2)
  static let dataQuality = ExitCode(4)

  /// Where the command did not choose a code of its own.
  static func of(_ error: any Error) -> ExitCode {
    if case .damaged? = error as? StoreError { return dataQuality }
    return usage
  }
}
