/// Takes an answer as it comes, in the thread that makes the request.
class HTTPReceiver {
  /// Of the last answer: those before it led on to others.
  private(set) final var head: HTTPHead?

  /// One line of the head.
  final func note(line: String) {
    let line = String(line.prefix { !$0.isNewline })
    if let begun = HTTPHead(statusLine: line) { head = begun } else { head?.add(line: line) }
  }

  /// Takes bytes of the body, which may take its time; false ends the transfer.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }

  /// Whether the rest isn't wanted any more.
  var isStopped: Bool { false }
}

/// Holds a small answer.
final class HTTPCollector: HTTPReceiver {
  private let limit: Int
  private(set) var body: [UInt8] = []
  private(set) var isTooLong = false

  init(limit: Int) { self.limit = limit }

  override func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isTooLong = body.count + bytes.count > limit
    if !isTooLong { unsafe body += bytes }
    return !isTooLong
  }
}
