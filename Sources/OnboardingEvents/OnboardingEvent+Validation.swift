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
    "undefined", "null", "(null)", "nil", "<nil>", "none", "nan", "n/a", "[object object]",
    "anonymous", "guest", "unknown", "(not set)", "not_authenticated", "distinct_id", "distinctid",
    "id", "email", "true", "false", "-1", "9774d56d682e549c", "lmy47d",
  ]

  private static func isPresent(_ identifier: String?) -> Bool {
    guard let identifier, !placeholders.contains(identifier.lowercased()) else { return false }
    return identifier.utf8.contains {
      $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-")
    }
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
