import ExperimentStatistics
import Foundation
import Testing

/// On which day a rate broke.
@Suite struct ChangePointTests {
  /// Weekends ten points lower, and days that differ by up to a point.
  private func day(_ day: Int, _ percent: Double) -> DayCounts {
    let wobble = [0.0, 8, -6, 3, -9, 5, -2, 7, -4][(day * 4 + day / 7) % 9]
    let weekend = day % 7 == 2 || day % 7 == 3 ? 100.0 : 0
    return DayCounts(
      day: day,
      counts: Proportion(successes: Int(10 * percent - weekend + wobble), trials: 1_000))
  }

  @Test(arguments: [28, 33, 40, 55])
  func `the day of a drop is found among days of any weekday`(first: Int) throws {
    let reference = (0..<28).map { day($0, 60) }
    let days = (28..<60).map { day($0, $0 < first ? 60 : 55) }
    let found = try #require(ChangePoint(days: days, reference: reference, level: 0.95))
    #expect(found.day == first && found.earliest <= first && found.latest >= first)
    #expect(found.latest - found.earliest <= 2 && abs(found.drop - 0.05) < 0.01, "\(found)")
    let sure = try #require(ChangePoint(days: days, reference: reference, level: 0.999_999))
    #expect(sure.earliest <= found.earliest && sure.latest >= found.latest)
    let shuffled = try #require(
      ChangePoint(days: days.reversed(), reference: reference.reversed(), level: 0.95))
    #expect(shuffled == found)
  }

  @Test func `a small drop leaves many days open`() throws {
    let reference = (0..<28).map { day($0, 60) }
    let small = (28..<60).map { day($0, $0 < 40 ? 60 : 59.6) }
    let found = try #require(ChangePoint(days: small, reference: reference, level: 0.95))
    #expect(found.latest - found.earliest > 5, "\(found)")
  }

  @Test func `without a drop or without days there is no day`() {
    let reference = (0..<28).map { day($0, 60) }
    #expect(ChangePoint(days: [], reference: reference, level: 0.95) == nil)
    #expect(
      ChangePoint(
        days: (28..<40).map { day($0, 60) }, reference: Array(reference.prefix(13)), level: 0.95)
        == nil)
    let better = (28..<42).map { day($0, 75) }
    #expect(ChangePoint(days: better, reference: reference, level: 0.95) == nil)
  }
}
