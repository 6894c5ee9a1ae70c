/// Which names a request may call the server by. A page on the web can have its own name lead to
/// this machine (DNS rebinding); then the browser sends that name, and is refused. Numbers and
/// `localhost` lead nowhere else.
struct HostCheck: Sendable {
  /// Names that are allowed besides.
  let names: Set<String>

  init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

  /// - Parameter header: the `Host` of a request: a name or a number, with a port or without.
  func allows(_ header: String?) -> Bool {
    guard let header, !header.isEmpty else { return false }
    let host = HostCheck.withoutPort(header.lowercased())
    return host == "localhost" || names.contains(host) || HostCheck.isAddress(host)
  }

  private static func withoutPort(_ header: String) -> String {
    if header.hasPrefix("[") {
      return header.firstIndex(of: "]").map { String(header[...$0]) } ?? header
    }
    return header.firstIndex(of: ":").map { String(header[..<$0]) } ?? header
  }

  /// `127.0.0.1`, `[::1]`
  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("[") && host.hasSuffix("]") {
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
