/// What an argument such as `s3://bucket/prefix` or `https://host/file.gz` names.
public enum RemoteAddress: Sendable, Hashable {
  /// A key or a prefix; empty for the whole bucket.
  case s3(bucket: String, key: String)
  case web(WebAddress)

  /// Whether a word of the command line is an address of any kind, and not a path.
  public static func isAddress(_ argument: String) -> Bool { scheme(of: argument) != nil }

  /// An argument as it may be printed and stored: without credentials and without a query, which
  /// may be a signature.
  public static func shown(_ argument: String) -> String {
    guard let scheme = scheme(of: argument) else { return argument }
    if let web = WebAddress(argument) { return web.name }
    // Some tools take keys before the bucket.
    guard scheme == "s3", let at = argument.prefix(while: { $0 != "?" }).firstIndex(of: "@"),
      !argument[..<at].dropFirst("s3://".count).contains("/")
    else { return scheme == "s3" ? argument : "\(scheme)://…" }
    return "s3://…\(argument[at...])"
  }

  /// - Throws: `RemoteFailure` for addresses that can't be read.
  init(_ argument: String) throws(RemoteFailure) {
    switch Self.scheme(of: argument) {
    case "s3":
      // By scalars: a mark may follow the slash.
      let rest = argument.unicodeScalars.dropFirst("s3://".count)
      let bucket = Substring(rest.prefix { $0 != "/" })
      guard Self.isBucket(bucket), InputPath.isUTF8(argument: argument) else {
        throw RemoteFailure(
          "no bucket of this name can exist; write s3://BUCKET/KEY or s3://BUCKET/FOLDER/")
      }
      self = .s3(
        bucket: String(bucket),
        key: String(Substring(rest.dropFirst(bucket.unicodeScalars.count + 1))))
    case "https", "http":
      guard let web = WebAddress(argument), InputPath.isUTF8(argument: argument) else {
        throw RemoteFailure("the address has no host; write https://HOST/FILE")
      }
      guard web.isSecure || web.isLoopback else {
        throw RemoteFailure(
          "http:// is open to anyone on the way, and read from this machine only; use https://, "
            + "for a store of objects s3:// with --endpoint-url, or pipe it in: "
            + "curl ADDRESS | firstmile … -")
      }
      self = .web(web)
    case "gs", "gcs":
      throw RemoteFailure(
        "write s3://BUCKET/… with --endpoint-url https://storage.googleapis.com and an HMAC key "
          + "of the bucket's project")
    case "file": throw RemoteFailure("write the path without file://")
    case let scheme:
      throw RemoteFailure("\(scheme ?? "")://… isn't read; s3:// and https:// are")
    }
  }

  private static let schemes: Set<String> = [
    "s3", "s3a", "s3n", "https", "http", "gs", "gcs", "file", "ftp", "ftps", "sftp", "scp", "az",
    "azure", "abfs", "abfss", "wasb", "wasbs", "hdfs", "r2", "oss",
  ]

  private static func scheme(of argument: String) -> String? {
    guard let mark = argument.firstRange(of: "://") else { return nil }
    let scheme = argument[..<mark.lowerBound].lowercased()
    return schemes.contains(scheme) ? scheme : nil
  }

  /// Whether it can stand in the name of a host.
  private static func isBucket(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: ".-_".utf8.contains(byte)
        }
      }
  }
}
