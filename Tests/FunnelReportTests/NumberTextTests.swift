import ReportText
import Testing

@Suite("Numbers as text")
struct NumberTextTests {
  static let significant: [(Double, String)] = [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.5, "0.5"), (0.3333333333, "0.333333"),
    (0.6666666667, "0.666667"), (0.30000000000000004, "0.3"), (123_456_789, "123457000"),
    (1234.5678, "1234.57"), (0.0009765625, "0.000976562"), (0.9999999, "1"),
    (999_999.5, "1000000"), (1e-6, "0.000001"), (3.14159e-9, "3.14159e-9"), (1e-7, "1e-7"),
    (1e15, "1e15"), (123e12, "123000000000000"), (.leastNonzeroMagnitude, "5e-324"),
    (.greatestFiniteMagnitude, "1.79769e308"), (1.18867924528, "1.18868"),
  ]

  @Test(arguments: significant)
  func `six significant digits`(_ value: Double, _ expected: String) {
    #expect(NumberText.format(value) == expected)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is not finite has no text`(_ value: Double) {
    #expect(NumberText.format(value) == nil)
    #expect(NumberText.fixed(value, decimals: 1) == nil)
  }

  static let fixed: [(Double, Int, String)] = [
    (84.126, 1, "84.1"), (0.0, 1, "0.0"), (99.96, 1, "100.0"), (-0.04, 1, "0.0"),
    (-0.06, 1, "-0.1"), (0.5, 0, "0"), (1.5, 0, "2"), (12.0, 2, "12.00"), (0.006, 2, "0.01"),
    (0.004, 2, "0.00"), (1e-9, 3, "0.000"),
  ]

  @Test(arguments: fixed)
  func `digits after the point`(_ value: Double, _ decimals: Int, _ expected: String) {
    #expect(NumberText.fixed(value, decimals: decimals) == expected)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1234, "-1,234"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func grouped(_ count: Int, _ expected: String) {
    #expect(NumberText.grouped(count) == expected)
  }

  @Test func `counts with their nouns are grouped`() {
    #expect(CountText.of(42_973, "day") == "42,973 days")
    #expect(CountText.of(1, "day") == "1 day")
  }

  @Test(arguments: [
    (0.841, "84.1 %"), (0.0003, "0.03 %"), (0.000_03, "0.003 %"), (0.000_000_42, "0.00004 %"),
    (0, "0 %"), (1, "100 %"), (0.9998, "99.98 %"), (0.999_98, "99.998 %"), (0.999, "99.9 %"),
    (1e-17, "0.00 %"),
  ])
  func `a rate has the digits that show it is not 0 or 1`(_ rate: Double, _ expected: String) {
    #expect(RateText.percent(rate) == expected)
  }

  @Test(arguments: [
    (-0.000_03, "−0.003", "−0.003"), (0.000_2, "+0.02", "+0.02"), (0, "0", "0.0"),
    (1e-17, "0", "0.0"), (-0.1, "−10.0", "−10.0"), (1, "+100", "+100"), (0.11, "+11.0", "+11.0"),
  ])
  func `a difference has them too, in a column as well`(
    _ difference: Double, _ expected: String, _ column: String
  ) {
    #expect(RateText.signedNumber(difference) == expected)
    #expect(TerminalPage.points(difference) == column)
  }

  @Test func `a column of rates has a digit after the point`() {
    let rates = [0, 0.5, 1, 0.000_03].map { TerminalPage.rate($0) }
    #expect(rates == ["0.0 %", "50.0 %", "100.0 %", "0.003 %"])
    #expect(TextWidth.whole("0.000003 %", 7) == "0.000003 %" && TextWidth.whole("1", 3) == "  1")
  }

  @Test func `every text reads back to six digits`() {
    var state: UInt64 = 42
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(state >> 11) / Double(1 << 53) * 1000
      let read = NumberText.format(value).flatMap(Double.init) ?? .nan
      #expect(abs(read - value) <= value * 5.0001e-6)
    }
  }
}
