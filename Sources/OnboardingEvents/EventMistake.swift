/// Why an event can't be counted by FirstMile.
public enum EventMistake: Error, Sendable, Hashable {
  /// The event has no name.
  case emptyName
  /// Neither a user nor a device; an id of zeros and dashes, or such as `undefined`, is none.
  case noIdentifier
  /// The clock of the device was never set, or is decades off.
  case timeOutOfRange(EventTime)
  /// A page view that names no page.
  case noPage
  /// A permission event without the name of its permission.
  case noPermission
  /// `permission_result` with a status that is none of ``PermissionStatus``.
  case unknownStatus(String)
  /// `onboarding_completed` with a method that is none of ``CompletionMethod``.
  case unknownCompletionMethod(String)
  /// A property, by its path, whose number is infinite or none at all: JSON can't say it.
  case notFinite(path: String)
}

extension EventMistake: CustomStringConvertible {
  /// What is wrong with the event, for the developer who reads a log.
  public var description: String {
    switch self {
    case .emptyName: "an event needs a name"
    case .noIdentifier:
      "an event needs a user_id or a device_id that is more than zeros or 'undefined'"
    case .timeOutOfRange(let time):
      "the time \(time) is not between 2000-01-01 and 2100-01-01: check the device's clock"
    case .noPage: "onboarding_page_viewed needs page_name, page_number or page_index"
    case .noPermission: "permission events need the property permission"
    case .unknownStatus(let status):
      "'\(status)' is no status of a permission; allowed: "
        + PermissionStatus.allCases.map(\.rawValue).joined(separator: ", ")
    case .unknownCompletionMethod(let method):
      "'\(method)' is no completion_method; allowed: "
        + CompletionMethod.allCases.map(\.rawValue).joined(separator: ", ")
    case .notFinite(let path): "\(path) is no finite number"
    }
  }
}
