import ExperimentStatistics
import Testing

/// The day of a break beside that of ruptures, which knows neither weekdays nor people: the best
/// split of the rates into two constant ones.
@Suite struct ChangePointJudgeTests {
  private static let daysBefore = 28

  private func counts(_ inputs: [Double]) -> [DayCounts] {
    (0..<inputs.count / 2).map { day in
      DayCounts(
        day: day,
        counts: Proportion(successes: Int(inputs[2 * day + 1]), trials: Int(inputs[2 * day])))
    }
  }

  @Test func `the interval contains the day that ruptures says`() throws {
    let reference = try ReferenceFile("change-point")
    #expect(reference.cases.count >= 50 && reference.packages["ruptures"] != nil)
    var alike = 0
    for row in reference.cases {
      let days = counts(row.inputs)
      let found = try #require(
        ChangePoint(
          days: Array(days.dropFirst(Self.daysBefore)),
          reference: Array(days.prefix(Self.daysBefore)), level: 0.95))
      let day = Int(try #require(row.expected.first ?? nil))
      #expect(found.earliest <= day && day <= found.latest, "\(found) \(day)")
      if found.day == day { alike += 1 }
    }
    // Most often both say one day; where they do not, they weigh days otherwise.
    #expect(alike * 10 >= reference.cases.count * 9, "\(alike) of \(reference.cases.count)")
  }
}
