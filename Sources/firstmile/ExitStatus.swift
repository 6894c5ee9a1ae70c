import ArgumentParser

/// The exit codes of SPEC 13.
enum ExitStatus {
  static let usage = ExitCode(2)
  static let dataQuality = ExitCode(4)
}
