/// Web addresses that carry something about a person or let somebody in.
enum WebAddressPattern {
  private static let addressSigns = ByteSet("/:")
  private static let querySigns = ByteSet("?#")
  private static let parameterSigns = ByteSet("?#&;")

  /// Whether a text is a web address, a deep link, or a path with a query.
  static func isWebAddress(_ text: [UInt8]) -> Bool {
    guard let mark = text.firstIndex(where: { addressSigns.contains($0) }),
      !text.contains(where: { $0 <= 0x20 })
    else { return false }
    return text[mark...].starts(with: "://".utf8)
      || (text.first == UInt8(ascii: "/") && text.contains(UInt8(ascii: "?")))
      || text.starts(with: "mailto:".utf8)
  }

  /// Whether it holds an e-mail address, a token, or a parameter that is named for a secret.
  static func isPersonal(_ text: [UInt8]) -> Bool {
    if TextPattern.holdsEmailAddress(decoded(text[...])) { return true }
    guard let mark = text.firstIndex(where: { querySigns.contains($0) }) else { return false }
    return text[(mark + 1)...].split { parameterSigns.contains($0) }.contains { parameter in
      let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { return false }
      let value = decoded(parts[1])
      if TextPattern.isAccessToken(value) { return true }
      let words = PropertyName.words(of: String(decoding: parts[0], as: UTF8.self))
      if !secretWords.isDisjoint(with: words) { return value.count >= 6 }
      return PropertyName(String(decoding: parts[0], as: UTF8.self)).hint == .phoneNumber
        && TextPattern.isPhoneNumber(value)
    }
  }

  private static let secretWords: Set<String> = [
    "token", "password", "passwd", "secret", "signature", "jwt", "auth", "apikey", "otp",
  ]

  /// Without percent signs: `%40` is `@`.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = text.startIndex
    while place < text.endIndex {
      if text[place] == UInt8(ascii: "%"), place + 2 < text.endIndex,
        let byte = UInt8(
          String(decoding: text[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        place += 3
      } else {
        result.append(text[place])
        place += 1
      }
    }
    return result
  }
}
