@testable import FunnelEngine
import Testing

@Suite("How far back reports know people")
struct LookBackTests {
  @Test(arguments: [
    (0, 0, true), (0, 1, true), (0, 2, false), (9, 10, true), (8, 10, false), (60, 66, true),
    (59, 66, false), (0, 59, false), (365, 400, true),
  ])
  func `look-backs are alike within a day or a tenth`(one: Int, other: Int, isAlike: Bool) {
    let (left, right) = (LookBack(days: one), LookBack(days: other))
    #expect(left.isAlike(right) == isAlike)
    #expect(right.isAlike(left) == isAlike)
    // Who knows everyone knows them as long as anybody else does.
    let all = LookBack(days: one, knowsEveryone: true)
    #expect(all.isAlike(right) == isAlike)
    #expect(all.isAlike(LookBack(days: other, knowsEveryone: true)))
  }

  @Test func `a file that does not say is not held against`() {
    let unknown: LookBack? = nil
    let known: LookBack? = LookBack(days: 59)
    #expect(unknown.isAlike(known))
    #expect(known.isAlike(unknown))
  }
}
