import CFirstMileCurl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One request over a connection of its own, by libcurl. Used by one thread.
///
/// Invariants: `handle` and `words` are there as long as the object lives. While `perform` runs,
/// libcurl has an unretained reference to the exchange, which lives on its stack frame.
@safe final class HTTPTransfer {
  /// The connection or its agreements failed; what a service answered is no failure here.
  struct Failure: Error {
    var message: String
    /// Whether the same request may succeed later.
    var isPassing: Bool
  }

  /// What the callbacks of libcurl share.
  private final class Exchange {
    let receiver: HTTPReceiver
    let stallSeconds: Int
    var lastByte = ContinuousClock.now
    var isStalled = false

    init(_ receiver: HTTPReceiver, stallSeconds: Int) {
      self.receiver = receiver
      self.stallSeconds = stallSeconds
    }

    static func of(_ context: UnsafeMutableRawPointer) -> Exchange {
      unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }
  }

  /// The library's own beginning, once a process.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  /// What is trusted where the user names nothing: what this libcurl was built to trust, or, if it
  /// is one of a program that has everything inside, what the system has at its usual places.
  private static let usual: TrustedCertificates = {
    guard let version = unsafe ccurl_version()?.pointee,
      unsafe version.age.rawValue >= CURLVERSION_SEVENTH.rawValue,
      unsafe version.cainfo == nil, unsafe version.capath == nil
    else { return TrustedCertificates() }
    return .ofSystem()
  }()

  private let handle: UnsafeMutableRawPointer
  private let words: UnsafeMutablePointer<CChar>

  init() throws(Failure) {
    guard Self.isReady, let handle = unsafe curl_easy_init() else {
      throw Failure(message: "libcurl can't begin: no memory", isPassing: false)
    }
    unsafe self.handle = handle
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe words.deallocate()
  }

  /// Makes the request and returns at its end; the receiver gets the bytes as they come.
  func perform(_ request: HTTPRequest, _ receiver: HTTPReceiver) throws(Failure) {
    let exchange = Exchange(receiver, stallSeconds: request.stallSeconds)
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    var headers: UnsafeMutablePointer<curl_slist>?
    for line in request.headers { unsafe headers = curl_slist_append(headers, line) }
    defer { unsafe curl_slist_free_all(headers) }
    unsafe curl_easy_reset(handle)
    unsafe words.pointee = 0
    _ = unsafe ccurl_set_context(handle, CURLOPT_ERRORBUFFER, words)
    _ = unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    set(request)
    _ = unsafe ccurl_set_context(handle, CURLOPT_WRITEDATA, context)
    _ = unsafe ccurl_set_context(handle, CURLOPT_HEADERDATA, context)
    _ = unsafe ccurl_set_context(handle, CURLOPT_XFERINFODATA, context)
    _ = unsafe ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let exchange = unsafe Exchange.of(context)
      let isTaken = unsafe exchange.receiver.receive(
        UnsafeRawBufferPointer(start: bytes, count: size * count))
      // The time that the receiver took is no time without bytes.
      exchange.lastByte = .now
      return isTaken ? size * count : 0
    }
    _ = unsafe ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let exchange = unsafe Exchange.of(context)
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      unsafe exchange.receiver.note(line: String(decoding: line, as: UTF8.self))
      exchange.lastByte = .now
      return size * count
    }
    _ = unsafe ccurl_set_observer(handle) { context, _, _, _, _ in
      guard let context = unsafe context else { return 1 }
      let exchange = unsafe Exchange.of(context)
      if exchange.receiver.isStopped { return 1 }
      let quiet = ContinuousClock.now - exchange.lastByte
      exchange.isStalled = quiet > .seconds(exchange.stallSeconds)
      return exchange.isStalled ? 1 : 0
    }
    let code = withExtendedLifetime(exchange) { unsafe curl_easy_perform(handle) }
    if exchange.isStalled {
      throw Failure(message: "no byte came for \(request.stallSeconds) s", isPassing: true)
    }
    if code != CURLE_OK { throw failure(code) }
  }

  private func set(_ request: HTTPRequest) {
    func number(_ option: CURLoption, _ value: Int) {
      _ = unsafe ccurl_set_number(handle, option, value)
    }
    func text(_ option: CURLoption, _ value: String?) {
      if let value { _ = unsafe ccurl_set_text(handle, option, value) }
    }
    text(CURLOPT_URL, request.url)
    text(CURLOPT_PROTOCOLS_STR, "http,https")
    text(
      CURLOPT_REDIR_PROTOCOLS_STR, request.url.hasPrefix("https:") ? "https" : "http,https")
    if request.method != "GET" { text(CURLOPT_CUSTOMREQUEST, request.method) }
    text(CURLOPT_USERAGENT, "firstmile")
    let certificates = request.certificates.isNamed ? request.certificates : Self.usual
    text(CURLOPT_CAINFO, certificates.file)
    text(CURLOPT_CAPATH, certificates.folder)
    if !request.usesProxy { text(CURLOPT_NOPROXY, "*") }
    number(CURLOPT_FOLLOWLOCATION, request.followsRedirects ? 1 : 0)
    number(CURLOPT_MAXREDIRS, 10)
    // Dots are part of a key.
    number(CURLOPT_PATH_AS_IS, 1)
    number(CURLOPT_NOSIGNAL, 1)
    number(CURLOPT_NOPROGRESS, 0)
    // One connection an object; over a shared one several would share its window.
    number(CURLOPT_HTTP_VERSION, 2)
    number(CURLOPT_BUFFERSIZE, 1 << 18)
    number(CURLOPT_TCP_KEEPALIVE, 1)
    number(CURLOPT_CONNECTTIMEOUT, request.connectSeconds)
    if let seconds = request.totalSeconds { number(CURLOPT_TIMEOUT, seconds) }
  }

  private func failure(_ code: CURLcode) -> Failure {
    let own = unsafe String(cString: words)
    let text = unsafe own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
    let isPassing = [
      CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE, CURLE_OPERATION_TIMEDOUT, CURLE_SSL_CONNECT_ERROR,
      CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
    ].contains(code)
    let isUntrusted = [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE].contains(code)
    return Failure(
      message: text
        + (isUntrusted
          ? "; trusted certificates are named by CURL_CA_BUNDLE or SSL_CERT_FILE" : ""),
      isPassing: isPassing)
  }

  /// Makes a request whose answer is small.
  ///
  /// - Parameter limit: an answer with more bytes is a failure.
  static func fetch(_ request: HTTPRequest, limit: Int) throws(Failure) -> HTTPAnswer {
    let collector = HTTPCollector(limit: limit)
    do throws(Failure) {
      try HTTPTransfer().perform(request, collector)
    } catch {
      guard collector.isTooLong else { throw error }
      throw Failure(message: "the answer has more than \(limit) bytes", isPassing: false)
    }
    guard let head = collector.head else {
      throw Failure(message: "the answer is no HTTP", isPassing: false)
    }
    return HTTPAnswer(head: head, body: collector.body)
  }

  static func wait(seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
}
