@testable import ReportFindings
import Testing

/// Findings that are cut for a screen: the statistics go first, who and where stay.
struct ShortTextTests {
  private static let finding =
    "Biggest drop-off: Your plan. 13.6 % of the people who reach it leave (354 of 2,612; 95 % CI "
    + "12.3–14.9 %). They are 40.9 % of the 866 who didn’t finish. It loses clearly more of “3.2.1” "
    + "(app version): 57.6 % (227 of 394), and of “Android 16” (os): 20.4 % (270 of 1,320)."
  private static let kept =
    "It loses clearly more of “3.2.1” (app version) and of “Android 16” (os)."

  @Test func `what fits is whole`() {
    #expect(ShortText(Self.finding, kept: Self.kept).fitting { _ in true } == Self.finding)
  }

  @Test func `intervals go first, then counts`() {
    let short = ShortText(Self.finding, kept: Self.kept)
    let counted = short.fitting { !$0.contains("CI") }
    #expect(counted == Self.finding.replacing("; 95 % CI 12.3–14.9 %", with: ""))
    let bare = short.fitting { !$0.contains("354") }
    #expect(bare.contains("who reach it leave. They are 40.9 % of the 866 who didn’t finish."))
    #expect(bare.hasSuffix("“3.2.1” (app version): 57.6 %, and of “Android 16” (os): 20.4 %."))
  }

  @Test func `then sentences, but not whom it loses`() {
    let short = ShortText(Self.finding, kept: Self.kept).fitting { $0.count < 170 }
    #expect(
      short == "Biggest drop-off: Your plan. 13.6 % of the people who reach it leave. \(Self.kept)")
    #expect(ShortText(Self.finding, kept: Self.kept).fitting { _ in false }.hasSuffix(Self.kept))
  }

  @Test(arguments: [
    (
      "Biggest drop-off: Profile (2/3). 13.6 % of those who reach it leave (3 of 22; 95 % CI 1–9 %).",
      "Biggest drop-off: Profile (2/3). 13.6 % of those who reach it leave."
    ),
    ("Step (3 of 3) loses 57.6 % (227 of 394).", "Step (3 of 3) loses 57.6 %."),
    ("Offer (20 % of all) by 57.6 % (227/394).", "Offer (20 % of all) by 57.6 %."),
    ("A long na… (2… and B (46.4 %, 26 of 56) a)", "A long na… (2… and B a)"),
    ("A) is 5 % (1/20) now", "A) is 5 % now"),
  ])
  func `the brackets of names stay`(text: String, without: String) {
    #expect(ShortText.withoutStatistics(text) == without)
  }

  @Test(arguments: [
    ("60.1 % (1/2), 95 % CI 57.6–61.0 %. Next.", "60.1 % (1/2). Next."),
    (
      "(1 of 2, then 3 of 4; −43.1 points, 95 % CI −47.6 to −38.3). An",
      "(1 of 2, then 3 of 4; −43.1 points). An"
    ),
    ("a 98.8 % CI is wide", "a 98.8 % CI is wide"),
    ("+2 points, 99.7 % CI +2.7 to +28.3, adjusted p = 0.0062", "+2 points, adjusted p = 0.0062"),
  ])
  func `an interval goes with its level`(text: String, without: String) {
    #expect(ShortText.withoutIntervals(text) == without)
  }
}
