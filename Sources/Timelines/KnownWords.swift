/// Words in which systems and libraries say what the tracking plan has other words for. A draft
/// maps those that a dump has; a report never guesses.
///
/// Apple: `UNAuthorizationStatus`, `CLAuthorizationStatus`, `PHAuthorizationStatus`; Android:
/// `PackageManager`; Expo: `PermissionStatus`; React Native: react-native-permissions; Flutter:
/// permission_handler.
package struct KnownWords {
  /// The canonical field.
  package let field: String
  /// The events that have it.
  package let event: String
  private let words: [String]
  private let others: [String: String]

  package static let all = [
    KnownWords(
      field: "status", event: "permission_result", words: CanonicalNames.statuses,
      others: [
        "authorized": "granted", "authorised": "granted", "permissiongranted": "granted",
        "authorizedwheninuse": "when_in_use", "authorizedalways": "always", "limited": "reduced",
        "blocked": "denied", "permanentlydenied": "denied", "permissiondenied": "denied",
        "undetermined": "not_determined",
      ]),
    KnownWords(
      field: "completion_method", event: "onboarding_completed", words: CanonicalNames.methods,
      others: [
        "skip": "skipped", "finish": "finished", "complete": "finished", "completed": "finished",
      ]),
  ]

  /// The canonical word for one that is none; `nil` where it is one, or unknown.
  package func meaning(of word: String) -> String? {
    if words.contains(word) { return nil }
    let plain = Self.plain(word)
    return words.first { Self.plain($0) == plain } ?? others[plain]
  }

  private static func plain(_ word: String) -> String {
    String(word.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
