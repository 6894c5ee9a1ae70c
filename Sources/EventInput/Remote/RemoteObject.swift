/// One object of a store, or one file of a web server.
public struct RemoteObject: Sendable {
  enum Address: Sendable {
    case s3(bucket: String, key: String)
    case web(WebAddress)
  }

  let address: Address
  /// In bytes; `nil` where no listing gave it.
  let byteCount: Int?
  /// The version that was listed.
  let entityTag: String?
  let access: RemoteAccess

  /// The address without credentials and query.
  public var name: String {
    switch address {
    case .s3(let bucket, let key): InputPath.shown("s3://\(bucket)/\(key)")
    case .web(let web): web.name
    }
  }

  /// What stays the same as long as the object does, and its size; `nil` where no listing
  /// gave them. Holds no secret.
  package var stamp: (text: String, bytes: Int)? {
    guard case .s3(let bucket, let key) = address, let byteCount, let entityTag else { return nil }
    let url = (try? access.url(bucket: bucket, key: key)) ?? name
    return ("\(url) \(byteCount) \(entityTag)", byteCount)
  }

  /// Texts that may appear in no message.
  var secrets: [String] {
    if case .web(let web) = address { return web.secrets }
    return []
  }

  /// The request for its bytes from an offset on.
  ///
  /// - Parameter version: the entity tag that the bytes must be of, in its quotes.
  func request(from offset: Int, version: String?) throws(RemoteFailure) -> HTTPRequest {
    var headers: [String] = []
    if let version { headers.append("If-Match: \(version)") }
    if offset > 0 { headers.append("Range: bytes=\(offset)-") }
    switch address {
    case .s3(let bucket, let key):
      var request = try access.request(bucket: bucket, key: key)
      // Google's store would unpack what it keeps as gzip: more bytes than it has listed.
      request.headers += headers + ["Accept-Encoding: gzip"]
      return request
    case .web(let web):
      var request = HTTPRequest(url: web.url, certificates: access.certificates)
      request.headers = headers
      request.followsRedirects = true
      return request
    }
  }

  func problem(_ message: String) -> InputProblem {
    InputProblem(name: name, message: message)
  }
}

extension RemoteObject: Hashable {
  /// Encoded, because texts are equal in Swift where keys are not (`é` in one scalar or two).
  private var identity: String {
    switch address {
    case .s3(let bucket, let key): "s3://\(bucket)/\(PercentEncoding.path(key))"
    case .web(let web): web.url
    }
  }

  /// Whether both have one address, byte for byte, and are reached by one access.
  public static func == (left: RemoteObject, right: RemoteObject) -> Bool {
    left.identity == right.identity && left.access == right.access
  }

  /// Takes the address only: a run has few accesses.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
