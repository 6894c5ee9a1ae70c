internal import Foundation

/// What the environment and AWS's files set. The variables are those of AWS's own tools.
struct RemoteEnvironment: Sendable {
  private let variables: [String: String]
  /// Settings of the profile, from both files.
  private let profile: [String: String]?
  private let hasNamedProfile: Bool
  let profileName: String
  let credentialsPath: String
  let configPath: String

  init(_ variables: [String: String]) {
    func set(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
    self.variables = variables
    let home = set("HOME") ?? "~"
    func path(_ name: String, _ other: String) -> String {
      guard let path = set(name) else { return "\(home)/.aws/\(other)" }
      return path.hasPrefix("~/") ? home + path.dropFirst() : path
    }
    credentialsPath = path("AWS_SHARED_CREDENTIALS_FILE", "credentials")
    configPath = path("AWS_CONFIG_FILE", "config")
    profileName = set("AWS_PROFILE") ?? set("AWS_DEFAULT_PROFILE") ?? "default"
    hasNamedProfile = set("AWS_PROFILE") != nil || set("AWS_DEFAULT_PROFILE") != nil
    let config = Self.file(configPath)
    let own = Self.file(credentialsPath)?.section(profileName)
    let general =
      config?.section("profile \(profileName)")
      ?? (profileName == "default" ? config?.section("default") : nil)
    profile =
      own == nil && general == nil ? nil : (general ?? [:]).merging(own ?? [:]) { $1 }
  }

  subscript(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A variable that is `true`.
  func isOn(_ name: String) -> Bool { self[name]?.lowercased() == "true" }

  func profile(_ name: String) -> String? { profile?[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A profile that was asked for by its name and isn't there.
  var missingProfile: String? { hasNamedProfile && profile == nil ? profileName : nil }

  var region: String {
    self["AWS_REGION"] ?? self["AWS_DEFAULT_REGION"] ?? profile("region") ?? "us-east-1"
  }

  /// The store's address where it isn't AWS's own.
  var endpoint: String? {
    if isOn("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") { return nil }
    return self["AWS_ENDPOINT_URL_S3"] ?? self["AWS_ENDPOINT_URL"] ?? profile("endpoint_url")
  }

  /// libcurl alone knows none of these: they are the ones of its command and of AWS's tools.
  var certificates: TrustedCertificates {
    TrustedCertificates(
      file: self["CURL_CA_BUNDLE"] ?? self["AWS_CA_BUNDLE"] ?? self["SSL_CERT_FILE"],
      folder: self["SSL_CERT_DIR"])
  }

  var attempts: Int { self["AWS_MAX_ATTEMPTS"].flatMap { Int($0) } ?? RetryPlan.defaultAttempts }

  private static func file(_ path: String) -> ProfileFile? {
    FileManager.default.contents(atPath: path).map {
      ProfileFile(String(decoding: $0, as: UTF8.self))
    }
  }
}
