@testable import FunnelMetrics
@testable import FunnelReport
import Testing

@Suite("How far back reports know people")
struct LookBackTests {
  @Test(arguments: [
    (0, 0, true), (0, 1, true), (0, 2, false), (9, 10, true), (8, 10, false), (60, 66, true),
    (59, 66, false), (0, 59, false), (365, 400, true),
  ])
  func `look-backs are alike within a day or a tenth`(one: Int, other: Int, isAlike: Bool) {
    #expect(LookBack.areAlike(one, other) == isAlike)
    #expect(LookBack.areAlike(other, one) == isAlike)
  }

  @Test func `a file that does not say is not held against`() {
    #expect(LookBack.areAlike(nil, 59))
    #expect(LookBack.areAlike(0, nil))
  }
}
