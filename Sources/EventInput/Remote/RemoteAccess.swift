internal import Foundation
internal import Synchronization

/// How a run reaches stores of objects and web servers: its settings and credentials, and the
/// objects that are read ahead.
///
/// One for a run, shared by all its sources; used by any thread.
public final class RemoteAccess: Sendable {
  /// So many objects are on their way beside those that are being read.
  static let objectsAhead = 8
  /// New credentials are asked for so long before the old ones end.
  private static let expiryMargin = 300

  private struct State {
    var credentials: Result<Credentials, RemoteFailure>?
    /// How often credentials were dropped that the service called too old.
    var renewals = 0
    /// Where buckets are that turned out not to be in the region that is set.
    var regions: [String: String] = [:]
    var upcoming: [RemoteObject] = []
    var ahead: [RemoteObject: RemoteStream] = [:]
  }

  let environment: RemoteEnvironment
  let certificates: TrustedCertificates
  private let endpoint: String?
  private let isSigning: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - environment: the variables of the process.
  ///   - endpointURL: the address of an S3-compatible store; AWS's own, or what the environment
  ///     and the profile name, if not given.
  ///   - isSigning: whether requests to stores are signed.
  public init(environment: [String: String], endpointURL: String? = nil, isSigning: Bool = true) {
    let settings = RemoteEnvironment(environment)
    self.environment = settings
    certificates = settings.certificates
    endpoint = endpointURL ?? settings.endpoint
    self.isSigning = isSigning
  }

  /// What is wrong with an address of a store; `nil` where nothing is.
  public static func mistake(inEndpoint text: String) -> String? {
    guard let web = WebAddress(text), text == web.name else {
      return "an endpoint is http:// or https:// and a host, without credentials and query"
    }
    return nil
  }
}

// Requests to stores.
extension RemoteAccess {
  /// Where the object or, with an empty key, the bucket is.
  func url(bucket: String, key: String) throws(RemoteFailure) -> String {
    let path = PercentEncoding.path(key)
    if let endpoint {
      if let mistake = Self.mistake(inEndpoint: endpoint) { throw RemoteFailure(mistake) }
      return "\(endpoint.last == "/" ? String(endpoint.dropLast()) : endpoint)/\(bucket)/\(path)"
    }
    let region = region(of: bucket)
    let host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    // A dot in a bucket's name would be one too many for the certificate.
    return bucket.contains(".")
      ? "https://\(host)/\(bucket)/\(path)" : "https://\(bucket).\(host)/\(path)"
  }

  /// A signed request for an object or, with an empty key, about a bucket.
  ///
  /// - Parameter query: in the order of names, not encoded.
  func request(
    bucket: String, key: String, query: [(String, String)] = []
  ) throws(RemoteFailure) -> HTTPRequest {
    let url = try url(bucket: bucket, key: key)
    let query = query.map { "\($0)=\(PercentEncoding.query($1))" }.joined(separator: "&")
    var request = HTTPRequest(
      url: query.isEmpty ? url : "\(url)?\(query)", certificates: certificates)
    guard isSigning else { return request }
    let credentials = try credentials()
    let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
    let host = rest.prefix { $0 != "/" }
    let signature = RequestSignature(
      host: Self.sent(host: String(host), isSecure: url.hasPrefix("https:")),
      path: String(rest[host.endIndex...]), query: query, region: region(of: bucket),
      moment: Self.moment())
    request.headers = signature.headers(credentials)
    return request
  }

  /// A host as libcurl sends it: without the scheme's own port.
  private static func sent(host: String, isSecure: Bool) -> String {
    let ending = isSecure ? ":443" : ":80"
    return host.hasSuffix(ending) ? String(host.dropLast(ending.count)) : host
  }

  private static func moment() -> String {
    Date.now.formatted(
      .iso8601.dateSeparator(.omitted).timeSeparator(.omitted).timeZone(separator: .omitted))
  }

  /// Notes where a bucket is.
  ///
  /// - Returns: whether that is news, so that another try may succeed.
  func note(region: String?, of bucket: String) -> Bool {
    guard let region, !region.isEmpty, region != self.region(of: bucket),
      // It becomes part of a host's name.
      region.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else { return false }
    return state.withLock { state in
      guard state.regions[bucket] == nil else { return false }
      state.regions[bucket] = region
      return true
    }
  }

  private func region(of bucket: String) -> String {
    state.withLock { $0.regions[bucket] } ?? environment.region
  }

  /// Where the credentials come from; `nil` where there are none.
  var credentialsOrigin: String? {
    guard isSigning, case .success(let found) = state.withLock({ $0.credentials }) else {
      return nil
    }
    return found.origin
  }

  /// How often credentials were renewed before their time.
  var renewals: Int { state.withLock { $0.renewals } }

  /// Forgets credentials that the service calls too old.
  ///
  /// - Parameter renewals: before the request was signed. Several requests may be on their way with
  ///   the same credentials, and the first that is refused renews them for all.
  /// - Returns: whether there may be newer ones.
  func dropCredentials(after renewals: Int) -> Bool {
    state.withLock { state in
      if state.renewals != renewals { return true }
      guard case .success(let found) = state.credentials, found.expirySeconds != nil else {
        return false
      }
      state.credentials = nil
      state.renewals += 1
      return true
    }
  }

  private func credentials() throws(RemoteFailure) -> Credentials {
    // Other threads wait: one question is enough.
    let found = state.withLock { state in
      if case .success(let known) = state.credentials, let expiry = known.expirySeconds,
        expiry - Self.expiryMargin < Int(Date.now.timeIntervalSince1970)
      {
        state.credentials = nil
      }
      if let known = state.credentials { return known }
      let found = Result { () throws(RemoteFailure) in
        try CredentialChain(environment: environment).find()
      }
      state.credentials = found
      return found
    }
    return try found.get()
  }
}

// Reading ahead.
extension RemoteAccess {
  /// Names the objects that will be opened, in the order in which that is likely.
  func expect(_ objects: [RemoteObject]) {
    let dropped = state.withLock { state in
      defer { state.ahead = [:] }
      state.upcoming = objects.reversed()
      return state.ahead
    }
    // Ends their transfers, outside of the lock.
    withExtendedLifetime(dropped) {}
  }

  /// An object's bytes. Those that are expected next are fetched meanwhile.
  func open(_ object: RemoteObject) -> RemoteStream {
    let known = state.withLock { state in
      let known = state.ahead.removeValue(forKey: object)
      if known == nil, let place = state.upcoming.lastIndex(of: object) {
        state.upcoming.remove(at: place)
      }
      return known
    }
    let stream = known ?? RemoteStream(object)
    state.withLock { state in
      while state.ahead.count < Self.objectsAhead, let next = state.upcoming.popLast() {
        state.ahead[next] = RemoteStream(next)
      }
    }
    return stream
  }
}

extension RemoteAccess: Hashable {
  /// Whether both are one object: access holds connections and secrets of its own.
  public static func == (left: RemoteAccess, right: RemoteAccess) -> Bool { left === right }

  /// Takes the object's identity, as equality does.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
