/// What a service says about a request that it refuses.
struct ServiceError: Sendable {
  let status: Int
  /// S3's name for the error, such as `NoSuchKey`.
  let code: String?
  /// Where the bucket is, if the service says so.
  let region: String?
  /// How many seconds to wait, if the service says so.
  let waitSeconds: Int?
  private let words: String

  init(_ head: HTTPHead, _ body: [UInt8], hiding secrets: [String]) {
    status = head.status
    waitSeconds = head.fields["retry-after"].flatMap { Int($0) }
    var (code, message, region) = (String?.none, String?.none, String?.none)
    var reader = XMLReader(body)
    while let element = reader.next() {
      switch element.path {
      case ["Error", "Code"]: code = element.text
      case ["Error", "Message"]: message = element.text
      case ["Error", "Region"]: region = element.text
      default: break
      }
    }
    if code == nil { message = Self.plainText(head, body) }
    self.code = code
    self.region = head.fields["x-amz-bucket-region"] ?? region
    let own = [code, message].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
    let answer = head.reason.isEmpty ? "\(head.status)" : "\(head.status) \(head.reason)"
    let text = own.isEmpty ? answer : "\(answer) (\(own))"
    words = secrets.reduce(text) { $0.replacing($1, with: "[redacted]") }
  }

  /// Whether the same request may succeed later.
  var isPassing: Bool {
    [408, 429, 500, 502, 503, 504].contains(status) || code == "RequestTimeout"
      || code == "SlowDown"
  }

  /// Whether the credentials are too old.
  var isExpiredToken: Bool { code == "ExpiredToken" || code == "TokenRefreshRequired" }

  /// What was answered, and what can be done about it.
  ///
  /// - Parameter origin: where the credentials come from.
  func message(credentials origin: String?) -> String {
    let advice: String? =
      switch code {
      case "SignatureDoesNotMatch", "InvalidAccessKeyId", "InvalidToken", "ExpiredToken":
        origin.map { "check the credentials, which come from \($0)" }
      case "AccessDenied",
        nil where status == 403:
        origin.map { "the credentials come from \($0)" }
      case "RequestTimeTooSkewed": "check the clock of this machine"
      case "NoSuchBucket": "check the bucket's name, and --endpoint-url"
      default: nil
      }
    return "the service answers \(words)" + (advice.map { "; \($0)" } ?? "")
  }

  /// The first line of a short text.
  private static func plainText(_ head: HTTPHead, _ body: [UInt8]) -> String? {
    guard let type = head.fields["content-type"]?.lowercased(),
      type.hasPrefix("text/plain") || type.hasPrefix("application/json")
    else { return nil }
    let text = String(decoding: body.prefix(300), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
