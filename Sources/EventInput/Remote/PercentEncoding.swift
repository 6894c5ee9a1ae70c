/// Text in addresses (RFC 3986), spelled as signatures need it: everything but unreserved
/// characters is encoded, in upper case.
package enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  package static func query(_ text: String) -> String { encode(text.utf8) { isUnreserved($0) } }

  /// The key of an object, whose slashes stay.
  static func path(_ text: String) -> String {
    encode(text.utf8) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// An address as a person wrote it: only what can stand in no address is encoded.
  static func address(_ text: String) -> String {
    encode(text.utf8) { (0x21...0x7E).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }
  }

  /// What a listing with `encoding-type=url` means; `+` is a space there.
  static func decodeListed(_ text: String) -> String { decode(text, plusIsSpace: true) }

  /// What an encoded text means.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let pair = rest.prefix(2)
      if byte == UInt8(ascii: "%"), pair.count == 2,
        let value = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func encode(
    _ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool
  ) -> String {
    let encoded = bytes.flatMap { byte in
      isKept(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
