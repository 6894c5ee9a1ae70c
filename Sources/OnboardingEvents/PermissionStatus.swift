/// What became of a request for a permission.
public enum PermissionStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case granted, provisional, ephemeral
  case whenInUse = "when_in_use"
  case always, reduced, denied, error
  /// The system forbids it, and nobody was asked.
  case restricted
  /// Declined on the app's own screen, before the system asked.
  case notNow = "not_now"
  case notDetermined = "not_determined"
}
