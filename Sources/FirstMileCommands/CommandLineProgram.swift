/// The whole program, for an executable that has no code of its own.
package enum CommandLineProgram {
  /// Runs the command that the command line names, and ends the process with its exit status.
  package static func main() async { await FirstMile.main() }
}
