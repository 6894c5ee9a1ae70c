extension OnboardingEvent {
  /// Holds the event against `docs/event.schema.json`.
  ///
  /// - Throws: the first mistake that would make FirstMile reject or misread the event.
  public func validate() throws(EventMistake) {
    if name.isEmpty { throw .emptyName }
    if !OnboardingEvent.isPresent(userID) && !OnboardingEvent.isPresent(deviceID) {
      throw .noIdentifier
    }
    if !EventTime.accepted.contains(time) { throw .timeOutOfRange(time) }
    try validateProperties()
    try OnboardingEvent.validateNumbers(properties, "properties")
    try OnboardingEvent.validateNumbers(context, "context")
  }

  private func validateProperties() throws(EventMistake) {
    switch name {
    case "onboarding_page_viewed":
      let keys = ["page_name", "page_number", "page_index"]
      if keys.allSatisfy({ (properties[$0] ?? .null) == .null }) { throw .noPage }
    case "permission_prompted": try validatePermission()
    case "permission_result":
      try validatePermission()
      guard case .string(let status)? = properties["status"],
        PermissionStatus(rawValue: status) != nil
      else { throw .unknownStatus(OnboardingEvent.shown(properties["status"])) }
    case "onboarding_completed":
      guard let method = properties["completion_method"], method != .null else { return }
      guard case .string(let text) = method, CompletionMethod(rawValue: text) != nil else {
        throw .unknownCompletionMethod(OnboardingEvent.shown(method))
      }
    default: break
    }
  }

  private func validatePermission() throws(EventMistake) {
    guard case .string(let name)? = properties["permission"], !name.isEmpty else {
      throw .noPermission
    }
  }

  /// What programs write where they have no id, in small letters; FirstMile takes it for none.
  private static let placeholders: Set<String> = [
    "undefined", "null", "(null)", "nil", "<nil>", "none", "nan", "n/a", "<na>",
    "[object object]", "anonymous", "guest", "unknown", "(not set)", "not_authenticated",
    "distinct_id", "distinctid", "id", "email", "true", "false", "-1", "9774d56d682e549c", "lmy47d",
  ]

  /// What stands around an id that a program has printed.
  private static let pairs: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "<"): UInt8(ascii: ">"),
    UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  /// Whether a text is somebody's id by the rule of docs/definitions.md 3.1: no placeholder, also
  /// with space or one pair of quotes or brackets around it, and not all zeros and hyphens.
  private static func isPresent(_ identifier: String?) -> Bool {
    guard let identifier else { return false }
    let whole = trimmed(Array(identifier.utf8)[...])
    var inner = whole
    if whole.count > 1, let first = whole.first, pairs[first] == whole.last {
      inner = trimmed(whole.dropFirst().dropLast())
    }
    let isNone = [whole, inner].contains {
      placeholders.contains(String(decoding: $0, as: UTF8.self).lowercased())
    }
    return !isNone && inner.contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-") }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = text.drop { $0 <= UInt8(ascii: " ") }
    let space = text.reversed().prefix { $0 <= UInt8(ascii: " ") }.count
    return text.dropLast(space)
  }

  private static func shown(_ value: EventValue?) -> String {
    if case .string(let text)? = value { return text }
    return value.map { String(decoding: EventText.bytes(of: $0), as: UTF8.self) } ?? ""
  }

  private static func validateNumbers(
    _ values: [String: EventValue], _ path: String
  ) throws(EventMistake) {
    for key in values.keys.sorted() {
      if let value = values[key] { try validateNumbers(value, "\(path).\(key)") }
    }
  }

  private static func validateNumbers(
    _ value: EventValue, _ path: String
  ) throws(EventMistake) {
    switch value {
    case .number(let number): if !number.isFinite { throw .notFinite(path: path) }
    case .list(let values):
      for (index, value) in values.enumerated() {
        try validateNumbers(value, "\(path)[\(index)]")
      }
    case .object(let values): try validateNumbers(values, path)
    case .string, .integer, .boolean, .null: break
    }
  }
}
