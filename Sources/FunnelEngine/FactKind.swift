/// What a fact is to a flow, in the order in which ties at one millisecond are broken.
enum FactKind: UInt8, Sendable, Comparable {
  case started, prompted, viewed, stepSkipped, permissionResult, skipped, completed, activity

  /// Its bit in a set of kinds.
  var bit: UInt8 { 1 << rawValue }

  static func < (left: FactKind, right: FactKind) -> Bool { left.rawValue < right.rawValue }
}

/// A permission's answer, in declared order.
enum PermissionStatus: UInt8, Sendable {
  case granted, provisional, ephemeral, whenInUse, always, reduced
  case denied, error, restricted, notNow, notDetermined, other

  var isGranting: Bool { rawValue <= PermissionStatus.reduced.rawValue }
  var isDecisive: Bool { rawValue <= PermissionStatus.restricted.rawValue }
}

/// Where a person stands with a permission; each person is in exactly one class (definitions 8).
public enum PermissionClass: Int, Sendable, CaseIterable {
  case granted, denied, error, restricted, alreadyDecided, notNow, noResult

  /// The name used in outputs.
  public var name: String {
    switch self {
    case .granted: "granted"
    case .denied: "denied"
    case .error: "error"
    case .restricted: "restricted"
    case .alreadyDecided: "already_decided"
    case .notNow: "not_now"
    case .noResult: "no_result"
    }
  }
}

/// How an attempt ended.
public enum Outcome: UInt8, Sendable, CaseIterable {
  case finished
  /// Skipped, and then finished all the same.
  case finishedAfterSkipping
  case skipped, abandoned
  /// Not over by the horizon.
  case open

  /// The name used in outputs.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .finishedAfterSkipping: "finished_after_skipping"
    case .skipped: "skipped"
    case .abandoned: "abandoned"
    case .open: "(open)"
    }
  }

  /// Finished, with a skip before or without.
  public var isFinished: Bool { self == .finished || self == .finishedAfterSkipping }
}
