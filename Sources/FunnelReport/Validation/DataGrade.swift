/// How far the numbers made of some data can be trusted.
public enum DataGrade: String, Sendable, Hashable, CaseIterable, Comparable {
  case a = "A"
  case b = "B"
  case c = "C"
  case d = "D"
  case f = "F"

  /// Better grades are smaller.
  public static func < (one: DataGrade, other: DataGrade) -> Bool {
    one.rawValue < other.rawValue
  }

  /// What the grade means to a reader of the numbers.
  public var meaning: String {
    switch self {
    case .a: "nothing was found that moves a number"
    case .b: "small faults: numbers move by less than what is listed"
    case .c: "use the numbers with the listed faults in mind"
    case .d: "mend the listed faults before deciding anything"
    case .f: "the numbers say nothing about people"
    }
  }

  /// The grade of a share: the first bound that it exceeds, from the worst on.
  static func of(_ share: Double, b: Double, c: Double, d: Double, f: Double? = nil) -> DataGrade {
    if let f, share > f { return .f }
    if share > d { return .d }
    if share > c { return .c }
    return share > b ? .b : .a
  }
}

/// One thing that was looked at.
public struct ValidationCheck: Sendable, Hashable {
  /// Its name in CSV and JSON.
  public var check: String
  /// The reason, page, event, step or app version that it is about; empty where there is none.
  public var item = ""
  public var count: Int
  /// What the count is a part of.
  public var total: Int?
  /// The grade that this alone would give; `nil` for what is only told.
  public var grade: DataGrade?
  public var note = ""

  /// The count's share of the total.
  public var share: Double? {
    total.flatMap { $0 > 0 ? Double(count) / Double($0) : nil }
  }
}
