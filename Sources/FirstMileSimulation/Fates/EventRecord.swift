/// What kind of line a record becomes.
enum EventKind: UInt8, Sendable {
  case started, viewed, stepSkipped, skipped, completed, prompted, result, happening, activity
  case broken
}

/// One line to be, in 24 bytes: who, when, what. Its text is made when its file is written, so that
/// memory holds no text of other files.
struct EventRecord: Sendable {
  /// Stands for no step, no item, no position.
  static let none: UInt16 = .max

  /// Milliseconds since 1970: what the line says.
  var time: Int64
  var person: UInt32
  /// Counts the person's lines; with the person it makes the `message_id`.
  var sequence: UInt16 = 0
  var kind: EventKind
  var identity: Identity
  /// A step, permission, template, name or reject reason.
  var a: UInt16 = EventRecord.none
  /// A position, item or status.
  var b: UInt16 = EventRecord.none
  var session: UInt8
  var style: Style = .usual
  /// Seconds by which the line stands away from its place in time.
  var shift: Int16 = 0

  /// Where the line stands in its file: by time, all ties broken.
  static func precedes(_ one: EventRecord, _ other: EventRecord) -> Bool {
    let place = one.time + Int64(one.shift) * 1000
    let otherPlace = other.time + Int64(other.shift) * 1000
    if place != otherPlace { return place < otherPlace }
    if one.person != other.person { return one.person < other.person }
    return one.sequence < other.sequence
  }

  /// Whose ids the line bears.
  struct Identity: OptionSet, Sendable {
    let rawValue: UInt8
    static let user = Identity(rawValue: 1)
    static let device = Identity(rawValue: 2)
    static let secondDevice = Identity(rawValue: 4)
    /// The line names the other variant: its person is contaminated.
    static let otherVariant = Identity(rawValue: 8)
    /// The page was reached by swiping, or with the button.
    static let swiped = Identity(rawValue: 16)
    static let tapped = Identity(rawValue: 32)
    static let navigation: Identity = [.swiped, .tapped]
    /// The app has been updated before: its version is the next one.
    static let updated = Identity(rawValue: 64)
  }

  /// How the page, or whether the system asked, is said.
  enum Style: UInt8, Sendable {
    /// Name and number; a result that says nothing on being prompted.
    case usual
    case nameOnly, numberOnly, nameAndIndex
    case prompted, notPrompted
    /// A result that came from the system's Settings.
    case promptedInSettings, settings
  }
}

/// `status` of a permission result.
enum PermissionStatus {
  static let names = [
    "granted", "provisional", "ephemeral", "when_in_use", "always", "reduced", "denied", "error",
    "restricted", "not_now", "not_determined",
  ]
  static let granted = 0
  static let provisional = 1
  static let denied = 6
  static let error = 7
  static let restricted = 8
  static let notNow = 9
  static let notDetermined = 10
}
