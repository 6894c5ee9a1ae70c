import ArgumentParser
import EventInput
import FlowDefinition
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// The reports of a store in a browser.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show a store's reports in a browser, with dates, version and funnel to choose.",
    discussion: """
      Prints an address, which only this machine can open; Ctrl-C ends it. Each view is the page \
      that report or funnel would write, in the same bytes, and its address can be kept.

      firstmile serve --store onboarding.sqlite
      """)

  @Option(help: "The store.", completion: .file())
  var store: String

  @Option(
    name: .customLong("flow"), parsing: .singleValue,
    help: "A flow; may be given several times. The store's own if not given.", completion: .flows)
  var flows: [String] = []

  @Option(help: "The port; 0 for any that is free.")
  var port = 8321

  @Option(
    help: ArgumentHelp(
      "The address to listen on. Another than this machine's own (127.0.0.1, ::1) lets everyone in "
        + "who can reach it and knows the token; nothing is encrypted.", valueName: "address"))
  var bind = "127.0.0.1"

  @Option(
    name: .customLong("allow-host"), parsing: .singleValue,
    help: ArgumentHelp(
      "A name that browsers may call the server by, besides localhost and numbers.",
      valueName: "name"))
  var hosts: [String] = []

  @Flag(help: "Take what the store did not keep as missing, rather than stop.")
  var missingAsNone = false

  @Option(
    name: .customLong("threads"), help: "How many threads to use; all processors if not given.")
  var threadLimit: Int?

  @Option(
    help: "How much memory the facts may take, such as 512M or 2G; what is beyond goes to TMPDIR.",
    transform: MemorySize.parse)
  var memoryLimit: MemorySize?

  var threads: Int { threadLimit ?? ProcessInfo.processInfo.activeProcessorCount }

  func validate() throws {
    if !(0...65535).contains(port) {
      throw ValidationError("--port is a number from 0 to 65535, found \(port)")
    }
    if threads < 1 { throw ValidationError("--threads must be at least 1, found \(threads)") }
  }

  /// What every view's command line has.
  var arguments: [String] {
    var words = ["--store=\(store)", "--threads=\(threads)"]
    if let memoryLimit { words.append("--memory-limit=\(memoryLimit.bytes)") }
    if missingAsNone { words.append("--missing-as-none") }
    return words
  }

  /// The store with the flows that are served.
  func input() throws -> InputOptions {
    try InputOptions.parse(arguments + flows.map { "--flow=\($0)" })
  }

  func run() async throws {
    let stop = StopSignal()
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted" }
    // The address must not be printed into what is read.
    let files = CommandFiles()
    try files.use(store: store)
    try files.read(flows: flows)
    let served = try ServedStore(self)
    do {
      try await serve(served, until: stop)
      await served.close()
      Console.message("stopped")
    } catch {
      await served.close()
      throw error
    }
  }

  private func serve(_ served: ServedStore, until stop: StopSignal) async throws {
    let token = AccessToken()
    let site = ServedSite(
      store: served, token: token, hosts: HostCheck(hosts + [bind]),
      storeName: URL(fileURLWithPath: store).lastPathComponent)
    let server = try server { await site.answer($0) }
    let failure = Mutex<(any Error)?>(nil)
    let running = Task {
      do { try await server.run() } catch { failure.withLock { $0 = error } }
    }
    defer { running.cancel() }
    while await !server.isListening {
      if let error = failure.withLock({ $0 }) { throw refusal(error) }
      try await Task.sleep(for: .milliseconds(5))
    }
    let address = try await self.address(server)
    Console.output("http://\(address)/\(token.text)/\n")
    Console.message("serving '\(store)'; Ctrl-C ends it")
    while !stop.isGiven && failure.withLock({ $0 == nil }) { await stop.wait(seconds: 1) }
    if !stop.isGiven, let error = failure.withLock({ $0 }) { throw refusal(error) }
    // Not waited for: a browser that still waits for a view gets no answer.
    Task { await server.stop() }
  }

  private func server(
    _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) throws -> HTTPServer {
    let handler = ClosureHTTPHandler { await answer($0) }
    // A view may take longer than any patience: the reader decides when it is enough.
    let day = 86_400.0
    let number = UInt16(port)
    do {
      if bind.contains(":") {
        return HTTPServer(
          address: try .inet6(ip6: bind, port: number), timeout: day, logger: .disabled,
          handler: handler)
      }
      let plain = bind == "localhost" ? "127.0.0.1" : bind
      return HTTPServer(
        address: try .inet(ip4: plain, port: number), timeout: day, logger: .disabled,
        handler: handler)
    } catch {
      throw CommandError(
        "--bind is an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0, found '\(bind)'")
    }
  }

  private func address(_ server: HTTPServer) async throws -> String {
    switch await server.listeningAddress {
    case .ip4(let host, let port): return "\(host == "0.0.0.0" ? "127.0.0.1" : host):\(port)"
    case .ip6(let host, let port): return "[\(host == "::" ? "::1" : host)]:\(port)"
    default: throw CommandError("the server has no address")
    }
  }

  private func refusal(_ error: any Error) -> CommandError {
    guard case SocketError.failed(_, let number, let reason) = error else {
      return CommandError("the server can't listen on \(bind): \(SystemReason.of(error))")
    }
    if number == EADDRINUSE {
      return CommandError(
        "port \(port) on \(bind) is in use by another program; choose another with --port, or "
          + "--port 0 for any that is free")
    }
    if number == EACCES {
      return CommandError(
        "port \(port) is kept for the system's own programs; choose one from 1024 on with --port")
    }
    return CommandError(
      "port \(port) on \(bind) can't be listened on: \(reason); choose with --port and --bind")
  }
}
