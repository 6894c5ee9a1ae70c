/// One thing that was looked at.
public struct ValidationCheck: Sendable, Hashable {
  /// Its name in CSV and JSON.
  public var check: String
  /// The reason, page, event, step or app version that it is about; empty where there is none.
  public var item = ""
  /// How many were found: of people, events, ids, lines or whatever else the check looks at.
  public var count: Int
  /// What the count is a part of.
  public var total: Int?
  /// The grade that this alone would give; `nil` for what never lowers it.
  public var grade: DataGrade?
  /// More in words, such as the first place where it was found; empty where there is nothing more.
  public var note = ""
  /// The sentence for the report's reader; empty for checks that only `validate` makes.
  package var sentence = ""

  /// What a condition makes of a count.
  package init(
    _ condition: GradeCondition, item: String = "", count: Int, total: Int?, note: String = "",
    sentence: String = ""
  ) {
    self.init(
      check: condition.rawValue, item: item, count: count, total: total,
      grade: condition.grade(count, of: total), note: note, sentence: sentence)
  }

  package init(
    check: String, item: String = "", count: Int, total: Int? = nil, grade: DataGrade? = nil,
    note: String = "", sentence: String = ""
  ) {
    self.check = check
    self.item = item
    self.count = count
    self.total = total
    self.grade = grade
    self.note = note
    self.sentence = sentence
  }

  /// The count's share of the total.
  public var share: Double? {
    total.flatMap { $0 > 0 ? Double(count) / Double($0) : nil }
  }
}
