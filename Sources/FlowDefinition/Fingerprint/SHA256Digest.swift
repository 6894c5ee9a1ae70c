internal import CFirstMileOpenSSL

/// SHA-256 by the system's OpenSSL.
public enum SHA256Digest {
  /// The digest of a text's UTF-8.
  static func hexadecimal(_ text: String) -> String { hexadecimal(Array(text.utf8)) }

  /// The digest as 64 lower-case hexadecimal digits.
  public static func hexadecimal(_ message: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    // Fails only where OpenSSL has no SHA-256 at all; the digest is then all zeros, which equals
    // no real fingerprint.
    _ = unsafe EVP_Digest(message, message.count, &digest, &length, EVP_sha256(), nil)
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
