#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that this one starts without a shell, with a file as its standard input, to read what
/// it writes.
///
/// It is in a process group of its own: a signal from the terminal ends this program, and
/// `UnfinishedFiles` then ends the other, with everything that it started. It also ends when nobody
/// reads it any more, and with this object.
///
/// `posix_spawn` and not the package swift-subprocess: there a child lives inside of an
/// asynchronous scope, and here a thread reads it that may stop at any line and from which a signal
/// must be able to take it away.
///
/// Invariants: `output` and `errors` are open descriptors of this object, or -1; `child` holds the
/// process until it was waited for, so that its number can't be another process's.
final class ChildProcess {
  enum End: Equatable {
    case exited(Int32)
    case ended(signal: Int32)
  }

  /// More of its words is not kept.
  private static let keptWords = 1 << 14

  private let child: RunningChild
  private let registration: Int
  private var output: Int32
  private var errors: Int32
  private var errorBytes: [UInt8] = []

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - environment: texts like `TZ=UTC`.
  ///   - input: a descriptor that stays the caller's.
  /// - Throws: an `InputProblem` with the system's reason, without a name.
  init(
    _ program: String, _ arguments: [[UInt8]], environment: [String], input: Int32
  ) throws {
    // Begun while no other child can be: none inherits the pipes of another.
    let (started, registration) = try UnfinishedFiles.add {
      let started = try Self.start(program, arguments, environment, input)
      let child = started.child
      return (started, { child.kill() })
    }
    self.registration = registration
    child = started.child
    output = started.output
    errors = started.errors
  }

  deinit {
    child.kill()
    if output >= 0 { close(output) }
    if errors >= 0 { close(errors) }
    UnfinishedFiles.remove(registration)
    _ = child.wait()
  }

  /// What it wrote to standard error.
  var words: String { String(decoding: errorBytes, as: UTF8.self) }

  /// Bytes of its standard output; 0 at the end.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    while output >= 0 {
      var ends = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&ends, 2, -1) > 0 else { continue }
      if ends[1].revents != 0 { readErrors() }
      guard ends[0].revents != 0 else { continue }
      let count = unsafe systemRead(output, target)
      if count > 0 { return count }
      close(output)
      output = -1
    }
    return 0
  }

  /// Waits until it ends, after its output did.
  func finish() -> End {
    while errors >= 0 { readErrors() }
    UnfinishedFiles.remove(registration)
    return child.wait()
  }

  private func readErrors() {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(errors, $0) }
    if count > 0 {
      errorBytes += chunk.prefix(min(count, Self.keptWords - errorBytes.count))
    } else {
      close(errors)
      errors = -1
    }
  }
}

// Starting it.
extension ChildProcess {
  private struct Started {
    var child: RunningChild
    var output: Int32
    var errors: Int32
  }

  private static func start(
    _ program: String, _ arguments: [[UInt8]], _ environment: [String], _ input: Int32
  ) throws -> Started {
    var ends: [Int32] = []
    /// Above the standard descriptors, of which some may be closed, and not for other programs.
    func keep(_ descriptor: Int32) throws {
      let kept = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard kept >= 0 else { throw refusal(errno) }
      ends.append(kept)
    }
    do {
      try keep(input)
      for _ in 0..<2 {
        var pair: [Int32] = [-1, -1]
        guard unsafe pipe(&pair) == 0 else { throw refusal(errno) }
        defer { for end in pair { close(end) } }
        for end in pair { try keep(end) }
      }
      let process = try spawn(program, arguments, environment, [ends[0], ends[2], ends[4]])
      for place in [0, 2, 4] { close(ends[place]) }
      return Started(child: RunningChild(process), output: ends[1], errors: ends[3])
    } catch {
      for end in ends { close(end) }
      throw error
    }
  }

  private static func refusal(_ number: Int32) -> InputProblem {
    InputProblem(name: "", message: "can't be started: \(systemMessage(number))")
  }

  /// - Parameter standard: its standard input, output and error.
  private static func spawn(
    _ program: String, _ arguments: [[UInt8]], _ environment: [String], _ standard: [Int32]
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in standard.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    // Signals do to it what they do to any program, whatever this one does with them.
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var process: pid_t = 0
    let words = [Array(program.utf8)] + arguments
    let result = unsafe withTexts(words) { arguments in
      unsafe withTexts(environment.map { Array($0.utf8) }) { environment in
        unsafe posix_spawn(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    guard result == 0 else { throw refusal(result) }
    return process
  }

  /// Calls `body` with texts as system calls want a list of them: it ends with a null pointer.
  private static func withTexts(
    _ texts: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { text in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
      for (index, byte) in text.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
      unsafe copy[text.count] = 0
      return unsafe copy
    }
    defer { unsafe pointers.forEach { unsafe $0?.deallocate() } }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map(body) ?? EINVAL
    }
  }
}

private func systemRead(_ file: Int32, _ target: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let count = unsafe read(file, target.baseAddress, target.count)
    if count >= 0 || errno != EINTR { return count }
  }
}
