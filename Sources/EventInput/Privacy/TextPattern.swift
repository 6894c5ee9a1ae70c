/// Patterns of single values that mean a person or a secret whatever the property is called.
enum TextPattern {
  private static let at = UInt8(ascii: "@")
  private static let localSigns = ByteSet("._%+-'")
  private static let domainSigns = ByteSet(".-")
  private static let addressSigns = ByteSet(".:")
  private static let tokenSigns = ByteSet(".~+/=")
  private static let tokenStarts = ByteSet("ebBsrgxA")
  private static let phoneSigns = ByteSet("+()-./ xet#*")
  private static let positionSigns = ByteSet(",;")
  private static let dateSigns = ByteSet("-./")

  /// An e-mail address anywhere in a text.
  static func holdsEmailAddress(_ text: [UInt8]) -> Bool {
    guard let first = text.firstIndex(of: at) else { return false }
    return (first..<text.count).contains { text[$0] == at && isEmailAddress(text, at: $0) }
  }

  private static func isEmailAddress(_ text: [UInt8], at place: Int) -> Bool {
    let local = text[..<place].reversed().prefix { isWord($0) || localSigns.contains($0) }
    guard !local.isEmpty else { return false }
    // A key in front of a host, as in https://key@host, is no mailbox.
    let before = text[..<(place - local.count)]
    if before.suffix(3).elementsEqual("://".utf8) { return false }
    let domain = text[(place + 1)...].prefix { isWord($0) || domainSigns.contains($0) }
    var labels = domain.split(separator: UInt8(ascii: "."))
    // A full stop may end the sentence.
    guard labels.count >= 2, domain.first != UInt8(ascii: "."), let last = labels.popLast() else {
      return false
    }
    guard last.count >= 2, last.allSatisfy({ isLetter($0) }) else { return false }
    // Names of pictures such as icon@2x.png.
    return !["png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "js", "css"]
      .contains { last.elementsEqual($0.utf8) }
  }

  /// Four numbers, or the eight groups of IPv6; none that stands for no host or a network's own.
  static func isIPAddress(_ text: [UInt8]) -> Bool {
    guard text.count <= 39, text.contains(where: { addressSigns.contains($0) }) else {
      return false
    }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if parts.count == 4, text.count <= 15 {
      let numbers = parts.compactMap { part in
        part.count <= 3 ? UInt8(String(decoding: part, as: UTF8.self)) : nil
      }
      guard numbers.count == 4 else { return false }
      let isPrivate =
        [0, 10, 127].contains(numbers[0]) || (numbers[0] == 192 && numbers[1] == 168)
        || (numbers[0] == 172 && (16...31).contains(numbers[1])) || numbers[0] >= 224
      // Analytics tools cut the last number off to make an address that identifies no one.
      return !isPrivate && numbers[3] != 0
    }
    let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (3...8).contains(groups.count), text.count >= 7,
      groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy(isHexadecimal) })
    else { return false }
    let empty = groups.dropFirst().dropLast().filter(\.isEmpty).count
    guard groups.count == 8 ? empty <= 1 : empty == 1 else { return false }
    let filled = groups.filter { !$0.isEmpty }
    return filled.count >= 3 && !text.starts(with: "fe80".utf8)
  }

  /// The digits of a card's number, of a length that its issuer uses, whose check digit is right.
  static func isPaymentCard(_ text: [UInt8]) -> Bool {
    guard (13...24).contains(text.count), let first = text.first, isDigit(first) else {
      return false
    }
    let digits = text.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    guard digits.allSatisfy(isDigit),
      let prefix = Int(String(decoding: digits.prefix(4), as: UTF8.self))
    else { return false }
    let isIssued =
      switch digits.count {
      case 13, 19: prefix / 1000 == 4
      case 14: [30, 36, 38].contains(prefix / 100)
      case 15: [34, 37].contains(prefix / 100)
      case 16:
        prefix / 1000 == 4 || (51...55).contains(prefix / 100) || (2221...2720).contains(prefix)
          || prefix == 6011 || prefix / 100 == 65 || prefix / 100 == 35
      default: false
      }
    if !isIssued { return false }
    // Luhn: every second digit from the right counts twice, with its own digits added.
    let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
      let digit = Int(entry.element) - 48
      return sum + (entry.offset % 2 == 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit)
    }
    return sum % 10 == 0
  }

  /// A token that says so itself: signed ones, those of a header, and those of well-known services.
  static func isAccessToken(_ text: [UInt8]) -> Bool {
    guard text.count >= 12, let first = text.first, tokenStarts.contains(first) else {
      return false
    }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if text.starts(with: "eyJ".utf8), parts.count == 3,
      parts.prefix(2).allSatisfy({ $0.count >= 8 && $0.allSatisfy(isBase64) })
    {
      return true
    }
    for scheme in ["Bearer ", "bearer ", "Basic "] where text.starts(with: scheme.utf8) {
      let rest = text.dropFirst(scheme.utf8.count)
      return rest.count >= 8 && rest.allSatisfy { isBase64($0) || tokenSigns.contains($0) }
    }
    let prefixes = [
      "sk_live_", "rk_live_", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "AIza",
    ]
    return text.count >= 16 && prefixes.contains { text.starts(with: $0.utf8) }
      && text.allSatisfy(isBase64)
  }

  /// A phone number with its country's code: +49 170 1234567.
  static func isInternationalPhoneNumber(_ text: [UInt8]) -> Bool {
    text.first == UInt8(ascii: "+") && isPhoneNumber(text) && (8...15).contains(digitCount(text))
  }

  /// A phone number as North America writes it: (212) 555-0123.
  static func isNationalPhoneNumber(_ text: [UInt8]) -> Bool {
    guard (12...24).contains(text.count) else { return false }
    let shape = text.prefix { $0 != UInt8(ascii: "x") }.map { isDigit($0) ? UInt8(ascii: "9") : $0 }
    return [
      "999-999-9999", "(999) 999-9999", "(999)999-9999", "999.999.9999", "9-999-999-9999",
      "999 999 9999", "9 (999) 999-9999",
    ].contains { shape.elementsEqual($0.utf8) }
  }

  /// Anything that can be dialled, for properties that say they hold a phone number.
  static func isPhoneNumber(_ text: [UInt8]) -> Bool {
    guard (6...20).contains(digitCount(text)), text.count <= 32 else { return false }
    return text.allSatisfy { isDigit($0) || phoneSigns.contains($0) }
  }

  /// Degrees with four decimals or more, which is some ten metres.
  static func isPreciseDegrees(_ text: some Collection<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count >= 4, parts[1].count <= 20, parts[1].allSatisfy(isDigit),
      let whole = Int(String(decoding: parts[0], as: UTF8.self))
    else { return false }
    return (-180...180).contains(whole)
  }

  /// Latitude and longitude in one text.
  static func isPrecisePosition(_ text: [UInt8]) -> Bool {
    guard text.count <= 48, text.contains(where: { positionSigns.contains($0) }) else {
      return false
    }
    let parts = text.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
    return parts.count == 2
      && parts.allSatisfy { isPreciseDegrees($0.filter { $0 != UInt8(ascii: " ") }) }
  }

  /// A day with its year, in digits: 1984-02-17, 17.02.1984, 2/17/84.
  static func isDate(_ text: [UInt8]) -> Bool {
    let parts = text.prefix(10).split { dateSigns.contains($0) }
    return parts.count == 3 && text.count >= 6
      && parts.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy(isDigit) }
  }

  static func digitCount(_ text: [UInt8]) -> Int { text.reduce(0) { $0 + (isDigit($1) ? 1 : 0) } }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 32) &- 97 < 26 || byte >= 0x80 }

  private static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 32) &- 97 < 6
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    (byte < 0x80 && isWord(byte)) || byte == UInt8(ascii: "-")
  }
}
