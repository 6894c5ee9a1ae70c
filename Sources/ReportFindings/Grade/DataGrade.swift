/// How far the numbers made of some data can be trusted; ``GradeCondition`` has what lowers it.
public enum DataGrade: String, Sendable, Hashable, CaseIterable, Comparable {
  /// No condition lowers it.
  case a = "A"
  /// A condition exceeds its bound for B: minor issues.
  case b = "B"
  /// A condition exceeds its bound for C: to be used with care.
  case c = "C"
  /// A condition exceeds its bound for D: not reliable.
  case d = "D"
  /// A condition exceeds its bound for F: the numbers say nothing about people.
  case f = "F"

  /// Better grades are smaller.
  public static func < (one: DataGrade, other: DataGrade) -> Bool {
    one.rawValue < other.rawValue
  }

  /// What the grade means to a reader of the numbers.
  public var meaning: String {
    switch self {
    case .a: "No data problems found"
    case .b: "Good, with minor issues"
    case .c: "Usable with care: keep the listed problems in mind"
    case .d: "Not reliable: fix the listed problems before deciding anything"
    case .f: "These numbers say nothing about people"
    }
  }
}
