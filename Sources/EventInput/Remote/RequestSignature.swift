internal import CFirstMileOpenSSL

/// Signature version 4 of AWS for a request without a body, as S3 wants it: each part of the path
/// is encoded once. libcurl has one of its own, but versions differ in how they encode paths and
/// order queries (github.com/curl/curl/issues/13754, 9717, 11794), so that keys such as `day=1/a`
/// would be refused with some of them.
///
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
struct RequestSignature {
  /// SHA-256 of nothing, in hexadecimal.
  static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  var method = "GET"
  /// As it is sent: with the port where it isn't the scheme's own.
  let host: String
  /// Encoded.
  let path: String
  /// Encoded, in the order of names.
  let query: String
  let region: String
  /// In UTC: `20130524T000000Z`.
  let moment: String

  /// The headers that the request needs, in the order of names.
  ///
  /// - Parameter more: headers that are signed too, with names in lower case.
  func headers(_ credentials: Credentials, more: [(String, String)] = []) -> [String] {
    var signed = [
      ("host", host), ("x-amz-content-sha256", Self.emptyDigest), ("x-amz-date", moment),
    ]
    if let token = credentials.sessionToken { signed.append(("x-amz-security-token", token)) }
    signed = (signed + more).sorted { $0.0 < $1.0 }
    let names = signed.map(\.0).joined(separator: ";")
    let request = [
      method, path, query, signed.map { "\($0.0):\($0.1)\n" }.joined(), names, Self.emptyDigest,
    ].joined(separator: "\n")
    let scope = "\(moment.prefix(8))/\(region)/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n\(Self.hexadecimal(Self.digest(request)))"
    var key = Array("AWS4\(credentials.secretKey)".utf8)
    for part in [String(moment.prefix(8)), region, "s3", "aws4_request"] {
      key = Self.code(part, key: key)
    }
    let signature = Self.hexadecimal(Self.code(text, key: key))
    return signed.filter { $0.0 != "host" }.map { "\($0.0): \($0.1)" } + [
      "authorization: AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),"
        + "SignedHeaders=\(names),Signature=\(signature)"
    ]
  }

  private static func digest(_ text: String) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let bytes = Array(text.utf8)
    _ = unsafe EVP_Digest(bytes, bytes.count, &value, &count, EVP_sha256(), nil)
    return Array(value.prefix(Int(count)))
  }

  private static func code(_ text: String, key: [UInt8]) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let bytes = Array(text.utf8)
    _ = unsafe HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &value, &count)
    return Array(value.prefix(Int(count)))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
