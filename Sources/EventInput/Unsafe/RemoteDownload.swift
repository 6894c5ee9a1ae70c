/// Fetches one object in a thread of its own, and goes on where a connection broke.
///
/// What is handed on is one version of the object from its first byte: after a break the service
/// must name the same version and size, else reading ends with a problem.
final class RemoteDownload: HTTPReceiver {
  private static let wordsKept = 1 << 14

  private let object: RemoteObject
  private let buffer: TransferBuffer
  private var plan: RetryPlan
  /// Bytes handed on.
  private var offset = 0
  /// Of the first answer.
  private var version: String?
  private var totalBytes: Int?
  private var hasBegun = false
  // Of the answer at hand.
  private var standing = Standing.unseen
  private var toSkip = 0
  private var words: [UInt8] = []
  /// How often credentials had been renewed when the request was signed.
  private var renewals = 0

  /// What the bytes of an answer are.
  private enum Standing {
    case unseen, content, refusal
    /// Of another version, or of none that can be known.
    case foreign(String)
  }

  /// What follows from an attempt.
  private enum Outcome {
    case finished
    case again
    case later(String, seconds: Int?)
    case failed(String)
  }

  init(_ object: RemoteObject, _ buffer: TransferBuffer) {
    self.object = object
    self.buffer = buffer
    plan = RetryPlan(attempts: object.access.environment.attempts)
  }

  override var isStopped: Bool { buffer.isStopped }

  /// Fetches the object to its end.
  func run() {
    while !isStopped {
      switch attempt() {
      case .finished: return buffer.finish(.success(()))
      case .again: continue
      case .failed(let message): return fail(message)
      case .later(let message, let asked):
        guard let seconds = plan.waitAfterFailure(asked: asked) else {
          let place =
            offset > 0 ? " after \(offset) of \(totalBytes.map(String.init) ?? "?") bytes" : ""
          return fail("\(message)\(place)\(plan.words)")
        }
        buffer.pause(seconds: seconds)
      }
    }
  }

  private func fail(_ message: String) {
    let text = object.secrets.reduce(message) { $0.replacing($1, with: "[redacted]") }
    buffer.finish(.failure(object.problem("can't be read: \(text)")))
  }

  private func attempt() -> Outcome {
    (standing, toSkip, words) = (.unseen, 0, [])
    let begin = offset
    renewals = object.access.renewals
    let failure: HTTPTransfer.Failure?
    do throws(RemoteFailure) {
      let request = try object.request(
        from: offset, version: version.flatMap { $0.first == "\"" ? $0 : nil })
      failure = perform(request)
    } catch {
      return .failed(error.message)
    }
    if offset > begin { plan.noteProgress() }
    if case .unseen = standing { look() }
    switch standing {
    case .foreign(let message): return .failed(message)
    case .refusal: return refused(failure)
    case .content, .unseen:
      if let totalBytes, offset == totalBytes { return .finished }
      if let failure {
        return failure.isPassing
          ? .later(failure.message, seconds: nil) : .failed(failure.message)
      }
      if let totalBytes, offset < totalBytes {
        return .later("the connection ended early", seconds: nil)
      }
      return .finished
    }
  }

  private func perform(_ request: HTTPRequest) -> HTTPTransfer.Failure? {
    do throws(HTTPTransfer.Failure) {
      try HTTPTransfer().perform(request, self)
      return nil
    } catch {
      return error
    }
  }

  /// The service answered something else than the object.
  private func refused(_ failure: HTTPTransfer.Failure?) -> Outcome {
    // What failed after an answer that leads on is the way there.
    guard let head, failure == nil || !(300..<400).contains(head.status) else {
      return .failed(failure?.message ?? "the answer is no HTTP")
    }
    let error = ServiceError(head, words, hiding: object.secrets)
    if head.status == 412 || head.status == 416 && offset > 0 { return .failed(changed) }
    var (origin, isRenewed) = (String?.none, false)
    if case .s3(let bucket, _) = object.address {
      if object.access.note(region: error.region, of: bucket) { return .again }
      origin = object.access.credentialsOrigin
      isRenewed = error.isExpiredToken && object.access.dropCredentials(after: renewals)
    }
    let message = error.message(credentials: origin)
    return error.isPassing || isRenewed
      ? .later(message, seconds: error.waitSeconds) : .failed(message)
  }

  private let changed = "the object was replaced while it was read; run the command again"

  override func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if case .unseen = standing { look() }
    switch standing {
    case .content:
      let new = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(toSkip))
      toSkip -= bytes.count - new.count
      guard unsafe new.isEmpty || buffer.put(new) else { return false }
      offset += new.count
      return true
    case .refusal:
      unsafe words += bytes.prefix(Self.wordsKept - words.count)
      return true
    case .unseen, .foreign: return false
    }
  }

  /// Decides by the head of an answer what its bytes are.
  private func look() {
    guard let head else { return }
    switch head.status {
    case 200: standing = .content
    case 206 where offset > 0 && head.firstByte == offset: standing = .content
    default:
      standing = .refusal
      return
    }
    if !hasBegun {
      (hasBegun, version, totalBytes) = (true, head.version, head.totalBytes)
      return
    }
    toSkip = head.status == 200 ? offset : 0
    if version == nil || head.version == nil {
      standing = .foreign(
        "the connection broke after \(offset) bytes, and the server doesn't say (ETag, "
          + "Last-Modified) whether the rest is of the same file; download it first")
    } else if head.version != version || !isSameSize(head.totalBytes) {
      standing = .foreign(changed)
    }
  }

  /// Whether a size may be that of the first answer; not all answers have one.
  private func isSameSize(_ bytes: Int?) -> Bool {
    guard let bytes, let totalBytes else { return true }
    return bytes == totalBytes
  }
}
