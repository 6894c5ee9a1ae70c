/// An address of the web in its parts, some of which are secrets.
public struct WebAddress: Sendable, Hashable {
  /// What is sent; may hold credentials, and a query that is a signature. Never to be printed.
  let url: String
  /// The address without credentials, query and fragment.
  public let name: String
  let isSecure: Bool
  /// In lower case, without brackets and port.
  let host: String
  /// Texts that may appear in no message: an answer may repeat the request.
  let secrets: [String]

  /// `nil` where there is no host.
  init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else { return nil }
    isSecure = scheme == "https"
    let rest = text[mark.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { !"/?\\".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let server = place ?? authority
    let path = rest[authority.endIndex...].prefix { $0 != "?" }
    let query = rest[path.endIndex...].dropFirst()
    host =
      server.first == "["
      ? String(server.dropFirst().prefix { $0 != "]" }) : server.prefix { $0 != ":" }.lowercased()
    guard !host.isEmpty else { return nil }
    name = "\(scheme)://\(server)\(path)"
    url = PercentEncoding.address("\(scheme)://\(rest)")
    let user = place == nil ? "" : authority[..<server.startIndex].dropLast()
    let parts =
      [query, user] + query.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
      + user.split(separator: ":")
    secrets = parts.filter { $0.utf8.count >= 6 }.map(String.init)
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  var isLoopback: Bool {
    host == "localhost" || host == "::1"
      || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
  }
}
