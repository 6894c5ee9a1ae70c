/// What became of a request for a permission.
public enum PermissionStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// Granted without a limit.
  case granted
  /// Granted on trial, without asking: notifications arrive quietly.
  case provisional
  /// Granted for a short time, as to an App Clip.
  case ephemeral
  /// Granted while the app is in use.
  case whenInUse = "when_in_use"
  /// Granted at all times, also while the app is not in use.
  case always
  /// Granted with less than was asked for, such as an approximate location.
  case reduced
  /// Refused.
  case denied
  /// Asking failed.
  case error
  /// The system forbids it, and nobody was asked.
  case restricted
  /// Declined on the app's own screen, before the system asked.
  case notNow = "not_now"
  /// Still open: nobody was asked, or has answered.
  case notDetermined = "not_determined"
}
