internal import Foundation

/// Looks for credentials where AWS's own tools do, in their order: variables, the profile's files,
/// the container's endpoint, the instance's role.
struct CredentialChain {
  private static let containerHost = "http://169.254.170.2"
  private static let instanceHost = "http://169.254.169.254"

  let environment: RemoteEnvironment

  /// - Throws: `RemoteFailure`, which names the places where nothing was found.
  func find() throws(RemoteFailure) -> Credentials {
    if let found = variables { return found }
    if let name = environment.missingProfile {
      throw RemoteFailure(
        "there is no profile '\(name)' (AWS_PROFILE) in \(environment.credentialsPath) or "
          + environment.configPath)
    }
    if let found = try profile() { return found }
    if let found = try container() { return found }
    let (instance, reason) = instance()
    if let instance { return instance }
    throw RemoteFailure(
      "no credentials found: looked in the environment (AWS_ACCESS_KEY_ID, "
        + "AWS_SECRET_ACCESS_KEY), the profile '\(environment.profileName)' of "
        + "\(environment.credentialsPath) and \(environment.configPath), the container's endpoint "
        + "(AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, …_FULL_URI: not set) and the instance's role "
        + "(\(reason)); for a public bucket give --no-sign-request"
        + (environment["AWS_WEB_IDENTITY_TOKEN_FILE"] == nil
          ? "" : ". " + Self.exportAdvice("AWS_WEB_IDENTITY_TOKEN_FILE")))
  }

  private var variables: Credentials? {
    guard let accessKey = environment["AWS_ACCESS_KEY_ID"],
      let secretKey = environment["AWS_SECRET_ACCESS_KEY"]
    else { return nil }
    return Credentials(
      accessKey: accessKey, secretKey: secretKey, sessionToken: environment["AWS_SESSION_TOKEN"],
      origin: "the environment (AWS_ACCESS_KEY_ID)")
  }

  private func profile() throws(RemoteFailure) -> Credentials? {
    let name = environment.profileName
    if let accessKey = environment.profile("aws_access_key_id"),
      let secretKey = environment.profile("aws_secret_access_key")
    {
      return Credentials(
        accessKey: accessKey, secretKey: secretKey,
        sessionToken: environment.profile("aws_session_token"), origin: "the profile '\(name)'")
    }
    let others = [
      "role_arn", "sso_session", "sso_start_url", "credential_process", "web_identity_token_file",
      "login_session",
    ]
    if let other = others.first(where: { environment.profile($0) != nil }) {
      throw RemoteFailure("the profile '\(name)' has " + Self.exportAdvice(other, profile: name))
    }
    return nil
  }

  private static func exportAdvice(_ setting: String, profile: String? = nil) -> String {
    "\(setting), which isn't read; let AWS's tool resolve it: eval \"$(aws configure "
      + "export-credentials\(profile.map { " --profile \($0)" } ?? "") --format env)\""
  }

  private func container() throws(RemoteFailure) -> Credentials? {
    let url: String
    if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
      guard path.hasPrefix("/") else {
        throw RemoteFailure("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must begin with a slash")
      }
      url = Self.containerHost + path
    } else if let full = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] {
      let hosts: Set<String> = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"]
      guard let web = WebAddress(full), web.isSecure || web.isLoopback || hosts.contains(web.host)
      else {
        throw RemoteFailure(
          "AWS_CONTAINER_CREDENTIALS_FULL_URI must be https://, or of this machine or its "
            + "container's host")
      }
      url = web.url
    } else {
      return nil
    }
    var request = Self.localRequest(url)
    if let path = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw RemoteFailure("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE '\(path)' can't be read")
      }
      let token = String(decoding: data, as: UTF8.self)
      request.headers = ["Authorization: \(token.split(whereSeparator: \.isNewline).first ?? "")"]
    } else if let token = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] {
      request.headers = ["Authorization: \(token)"]
    }
    do throws(RemoteFailure) {
      return try Self.parse(try Self.fetch(request), origin: "the container's endpoint")
    } catch {
      throw RemoteFailure("the container's endpoint gives no credentials: \(error.message)")
    }
  }

  /// The credentials of the machine's role by version 2 of its metadata service, or why there are
  /// none.
  private func instance() -> (Credentials?, String) {
    if environment.isOn("AWS_EC2_METADATA_DISABLED") { return (nil, "AWS_EC2_METADATA_DISABLED") }
    var host = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? Self.instanceHost
    if host.last == "/" { host.removeLast() }
    do throws(RemoteFailure) {
      var request = Self.localRequest("\(host)/latest/api/token")
      request.method = "PUT"
      request.headers = ["X-aws-ec2-metadata-token-ttl-seconds: 21600"]
      let token = String(decoding: try Self.fetch(request), as: UTF8.self)
      let roles = "\(host)/latest/meta-data/iam/security-credentials/"
      request = Self.localRequest(roles)
      request.headers = ["X-aws-ec2-metadata-token: \(token)"]
      let names = String(decoding: try Self.fetch(request), as: UTF8.self)
      guard let role = names.split(whereSeparator: \.isNewline).first else {
        return (nil, "the machine has none")
      }
      request.url = roles + PercentEncoding.path(String(role))
      return (
        try Self.parse(try Self.fetch(request), origin: "the instance's role '\(role)'"), ""
      )
    } catch {
      return (nil, error.message)
    }
  }

  private static func localRequest(_ url: String) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    request.usesProxy = false
    request.connectSeconds = 1
    request.totalSeconds = 5
    return request
  }

  private static func fetch(_ request: HTTPRequest) throws(RemoteFailure) -> [UInt8] {
    let answer: HTTPAnswer
    do throws(HTTPTransfer.Failure) {
      answer = try HTTPTransfer.fetch(request, limit: 1 << 16)
    } catch {
      throw RemoteFailure(error.message)
    }
    guard answer.head.status == 200 else {
      throw RemoteFailure(
        ServiceError(answer.head, [], hiding: []).message(credentials: nil))
    }
    return answer.body
  }

  /// What both endpoints answer with.
  private struct Document: Decodable {
    var AccessKeyId: String
    var SecretAccessKey: String
    var Token: String?
    var Expiration: String?
  }

  private static func parse(
    _ body: [UInt8], origin: String
  ) throws(RemoteFailure) -> Credentials {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
      throw RemoteFailure("the answer holds no credentials")
    }
    let expiry = document.Expiration.flatMap { try? Date($0, strategy: .iso8601) }
    return Credentials(
      accessKey: document.AccessKeyId, secretKey: document.SecretAccessKey,
      sessionToken: document.Token, expirySeconds: expiry.map { Int($0.timeIntervalSince1970) },
      origin: origin)
  }
}
