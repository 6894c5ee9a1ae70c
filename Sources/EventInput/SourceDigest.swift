/// By what a source's bytes are known again, wherever they lie and whatever they are called.
public struct SourceDigest: Sendable, Hashable, CustomStringConvertible {
  /// How a digest is computed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// XXH3 with 128 bits, as `xxh128sum` prints it. Two files that happen to differ have different
    /// digests; somebody who means to can make two that don't.
    case xxh3 = "xxh3-128"
    /// SHA-256, as `sha256sum` prints it: no two different files of one digest are known.
    case sha256

    var digitCount: Int {
      switch self {
      case .xxh3: 32
      case .sha256: 64
      }
    }
  }

  /// How the digest was computed.
  public var kind: Kind
  /// In lower case.
  public var hexadecimal: String

  /// A digest that was computed elsewhere, by its digits in lower case.
  public init(_ kind: Kind, hexadecimal: String) {
    self.kind = kind
    self.hexadecimal = hexadecimal
  }

  init(_ kind: Kind, bytes: some Sequence<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    self.init(
      kind,
      hexadecimal: String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
  }

  /// Reads what ``description`` says. Digits alone are of SHA-256: 0.2 had no other kind.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let kind = parts.count == 1 ? .sha256 : Kind(rawValue: String(parts[0])),
      parts.count <= 2, let digits = parts.last, digits.utf8.count == kind.digitCount,
      digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    self.init(kind, hexadecimal: digits.lowercased())
  }

  /// Kind and digits, such as `sha256:ba78…`.
  public var description: String { "\(kind.rawValue):\(hexadecimal)" }
}
