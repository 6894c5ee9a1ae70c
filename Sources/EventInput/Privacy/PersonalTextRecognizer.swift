/// Says what a single value looks like, with the help of its property's name.
struct PersonalTextRecognizer: Sendable {
  /// What was recognised in a value.
  enum Finding: Sendable, Hashable {
    /// The value alone shows it.
    case certain(PersonalTextKind)
    /// Other things look like this too: only if nearly all values of the property do.
    case possible(PersonalTextKind)
  }

  let name: PropertyName
  private static let valueSigns = ByteSet("@+.:0123456789")

  init(_ name: PropertyName) { self.name = name }

  func finding(in bytes: [UInt8], _ shape: TextShape) -> Finding? {
    if bytes.count < 3 && name.hint == nil { return nil }
    if WebAddressPattern.isWebAddress(bytes) {
      return WebAddressPattern.isPersonal(bytes) ? .certain(.webAddress) : nil
    }
    if TextPattern.holdsEmailAddress(bytes) { return .certain(.emailAddress) }
    if TextPattern.isAccessToken(bytes) { return .certain(.accessToken) }
    if TextPattern.isPrecisePosition(bytes) { return .certain(.position) }
    return hinted(bytes, shape) ?? unhinted(bytes)
  }

  /// What the property's name says, where the value agrees.
  private func hinted(_ bytes: [UInt8], _ shape: TextShape) -> Finding? {
    switch name.hint {
    case .personName: shape.isLikeName ? .certain(.personName) : nil
    case .userName:
      shape.words <= 3 && shape.isLetters && bytes.count >= 3 && bytes.count <= 48
        ? .certain(.personName) : nil
    case .phoneNumber: TextPattern.isPhoneNumber(bytes) ? .certain(.phoneNumber) : nil
    case .street:
      bytes.count >= 5 && shape.words >= 1 && (shape.hasDigit || shape.words >= 2)
        ? .certain(.postalAddress) : nil
    case .postalCode:
      (3...10).contains(bytes.count) && shape.hasDigit && shape.words <= 2
        ? .certain(.postalAddress) : nil
    case .dateOfBirth: TextPattern.isDate(bytes) ? .certain(.dateOfBirth) : nil
    case .position: TextPattern.isPreciseDegrees(bytes) ? .certain(.position) : nil
    case .ipAddress: TextPattern.isIPAddress(bytes) ? .certain(.ipAddress) : nil
    case .paymentCard: TextPattern.isPaymentCard(bytes) ? .certain(.paymentCard) : nil
    case .secret:
      bytes.count >= 6 && bytes != Array("[redacted]".utf8) && Set(bytes).count > 2
        ? .certain(.accessToken) : nil
    case nil: nil
    }
  }

  private func unhinted(_ bytes: [UInt8]) -> Finding? {
    if TextPattern.isInternationalPhoneNumber(bytes) { return .certain(.phoneNumber) }
    if TextPattern.isNationalPhoneNumber(bytes) { return .possible(.phoneNumber) }
    // Versions have four numbers as well, of which the first is small.
    let head = bytes.prefix { $0 != UInt8(ascii: ".") }
    let isVersion = head.count == 1 || (head.count == 2 && head.first == UInt8(ascii: "1"))
    if !isVersion, TextPattern.isIPAddress(bytes) { return .possible(.ipAddress) }
    if TextPattern.isPaymentCard(bytes) { return .possible(.paymentCard) }
    return nil
  }

  /// Whether an object's key is no name of a property but a value, such as an e-mail address.
  static func isValue(key: String) -> Bool {
    // Names of properties are short and hold none of these signs, as nearly all keys.
    if key.utf8.count < 6 || !key.utf8.contains(where: valueSigns.contains) {
      return key.utf8.count > 64
    }
    let bytes = Array(key.utf8)
    return bytes.count > 64 || TextPattern.holdsEmailAddress(bytes)
      || TextPattern.isInternationalPhoneNumber(bytes) || TextPattern.isNationalPhoneNumber(bytes)
      || TextPattern.isIPAddress(bytes) || TextPattern.isPaymentCard(bytes)
      || TextPattern.isAccessToken(bytes)
      || (bytes.count >= 7 && bytes.allSatisfy { TextPattern.isDigit($0) })
  }
}
