import FlowDefinition
import Testing

/// A generator with a fixed seed (SplitMix64), so that a failure comes back.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

@Suite struct BrokenFileTests {
  @Test(arguments: FlowFile.builtInNames)
  func `a damaged file gives a flow or mistakes with places inside it`(name: String) throws {
    let original = Array(try #require(FlowFile.builtInText(name)).unicodeScalars)
    var generator = SeededGenerator(state: 42)
    let marks = Array("{}[]:,-#&*!|>'\"%@ \t\n?0a".unicodeScalars)
    var refused = 0
    for _ in 0..<300 {
      var scalars = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<scalars.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: scalars.removeSubrange(place...)
        case 1: scalars.remove(at: place)
        case 2: scalars.insert(marks.randomElement(using: &generator) ?? ":", at: place)
        default: scalars[place] = marks.randomElement(using: &generator) ?? "#"
        }
        if scalars.isEmpty { break }
      }
      let text = String(String.UnicodeScalarView(scalars))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      do throws(FlowFileErrors) {
        _ = try FlowParser.parse(text, file: "x.yaml")
      } catch {
        refused += 1
        #expect(!error.errors.isEmpty)
        #expect(error.errors.map(\.line) == error.errors.map(\.line).sorted())
        for mistake in error.errors {
          #expect((1...lines.count + 1).contains(mistake.line), "\(mistake)")
        }
      }
    }
    #expect(refused > 100)
  }
}
