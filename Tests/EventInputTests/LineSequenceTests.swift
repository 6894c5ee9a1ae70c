import EventInput
import Foundation
import Testing

/// It does not matter for a line where blocks end, nor what came before it.
struct LineSequenceTests {
  private static func values(_ outcome: ScanOutcome) -> [String] {
    outcome.events.map(\.description)
      + outcome.rejects.map { "\($0["reason"] ?? "") \($0["text"] ?? "")" }
  }

  /// Lines of some shapes, some of them broken.
  private static func text(byteCount: Int, lineEnd: String, seed: UInt64) -> [UInt8] {
    var maker = ShapeMaker(generator: SeededGenerator(seed: seed), longStrings: 600)
    let shapes = (0..<6).map { _ in maker.event() }
    var text: [UInt8] = []
    while text.count < byteCount {
      let shape = maker.pick(shapes, or: .text)
      let isBroken = maker.below(60) == 0
      text += isBroken ? maker.brokenLine(shape, .init()) : maker.line(shape, .init())
      text += Array(lineEnd.utf8)
    }
    return text
  }

  @Test(arguments: ["\n", "\r\n"])
  func `lines are the same wherever blocks end`(lineEnd: String) throws {
    let text = Self.text(byteCount: 420_000, lineEnd: lineEnd, seed: 31)
    let whole = Self.values(try scan(text))
    #expect(whole.count > 400)
    for shift in [1, 2, 63, 64, 65, 4000, 8191, 8192, 8193, 100_001] {
      let shifted = Array(repeating: UInt8(ascii: " "), count: shift - 1) + [10] + text
      #expect(Self.values(try scan(shifted)) == whole, "\(shift)")
    }
    #expect(Self.values(try scan(text, overlap: true)) == whole)
  }

  @Test func `a line is the same after others and alone`() throws {
    var maker = ShapeMaker(generator: SeededGenerator(seed: 5), specialStrings: 10)
    let shapes = (0..<4).map { _ in (maker.event(), maker.style()) }
    var lines: [[UInt8]] = []
    for number in 0..<240 {
      let (shape, style) = shapes[number % shapes.count]
      lines.append(maker.below(4) == 0 ? maker.brokenLine(shape, style) : maker.line(shape, style))
    }
    lines = lines.flatMap { $0.split(separator: 10).map(Array.init) }
    try Self.expectSame(lines, TestPlan.plan())
  }

  /// Those of mParticle are batches, which are no lines of their own.
  @Test(arguments: FormatTests.vendors.filter { $0 != .mparticle })
  func `a vendor's line is the same after others and alone`(format: EventFormat.Name) throws {
    var maker = ShapeMaker(generator: SeededGenerator(seed: 6))
    let fixture = try FormatTests.fixture(format).split(separator: 10).map(Array.init)
    var lines = fixture + fixture
    for number in 0..<(SlowRuns.areWanted ? 640 : 80) {
      var changed = fixture[number % fixture.count]
      // Letters and digits for others: most often in values, where the line stays what it is.
      for _ in 0..<maker.below(4) {
        let place = maker.below(changed.count)
        let isDigit = (48..<58).contains(changed[place])
        let isLetter = (97..<123).contains(changed[place])
        if isDigit { changed[place] = UInt8(49 + maker.below(9)) }
        if isLetter { changed[place] = UInt8(97 + maker.below(26)) }
      }
      if maker.below(6) == 0 { changed.remove(at: maker.below(changed.count)) }
      lines.append(changed)
    }
    try Self.expectSame(lines, FormatTests.plan(format: format))
  }

  private static func expectSame(_ lines: [[UInt8]], _ plan: ScanPlan) throws {
    let together = try scan(Array(lines.joined(separator: [10])) + [10], plan: plan)
    var events: [String] = []
    var reasons: [String] = []
    for line in lines {
      let alone = try scan(line, plan: plan)
      events += alone.events.map(\.description)
      reasons += alone.reasons
    }
    #expect(together.events.map(\.description) == events)
    #expect(together.reasons == reasons)
    #expect(events.count > lines.count / 3)
  }
}
