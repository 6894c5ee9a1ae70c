import FirstMileCommands

/// The executable: all that it does is in a library, where tests can reach it.
@main
struct FirstMileProgram {
  static func main() async { await CommandLineProgram.main() }
}
