import EventInput
import Foundation
import Testing

/// Lines built like earlier ones, whose keys are predicted, against the slow twin.
struct AlikeLinesTests {
  private static let lineCount = SlowRuns.areWanted ? 80_000 : 4_000
  private static let maximumLineBytes = 40_000

  private static func expectAgreement(_ text: [UInt8]) throws -> ScanOutcome {
    let plan = TestPlan.plan(maximumLineBytes: maximumLineBytes)
    let outcome = try scan(text, plan: plan)
    var events = outcome.events[...]
    var rejects = outcome.rejects[...]
    for (index, bytes) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated()
    where !bytes.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) {
      var expected: ReferenceEvent
      if bytes.count > maximumLineBytes {
        expected = .reject("line_too_long")
      } else {
        let json = ReferenceReader.read(Array(bytes))
        expected = .of(json, isUTF8: String(validating: bytes, as: UTF8.self) != nil)
      }
      let shown = Comment(
        rawValue: "\(index): \(String(decoding: bytes.prefix(600), as: UTF8.self))")
      if rejects.first?["line"] == "\(index + 1)" {
        #expect(expected == .reject(rejects.popFirst()?["reason"] ?? ""), shown)
      } else {
        guard let event = events.popFirst() else {
          Issue.record("no event: \(shown)")
          break
        }
        #expect(expected.withShortNames == ReferenceEvent.event(event).withShortNames, shown)
      }
    }
    #expect(events.isEmpty && rejects.isEmpty)
    return outcome
  }

  /// From shapes that are learned at once to more than there is room for; with few strings that
  /// have escapes or letters outside ASCII, and with nearly nothing else.
  @Test(arguments: [3, 40, 1200], [4, 80])
  func `lines of some shapes are read as the slow twin reads them`(
    shapeCount: Int, specialStrings: Int
  ) throws {
    var maker = ShapeMaker(
      generator: SeededGenerator(seed: UInt64(shapeCount)), specialStrings: specialStrings)
    let shapes = (0..<shapeCount).map { _ in (maker.event(), maker.style()) }
    var text: [UInt8] = []
    for number in 0..<Self.lineCount {
      let (shape, style) = shapes[maker.below(number < 3 * shapeCount ? shapes.count : shapeCount)]
      text += maker.below(6) == 0 ? maker.brokenLine(shape, style) : maker.line(shape, style)
      text.append(10)
      if maker.below(50) == 0 { text += Array(maker.pick(["\n", " \n", "\r\n"], or: "").utf8) }
    }
    let outcome = try Self.expectAgreement(text)
    #expect(outcome.summary.events > Self.lineCount / 3)
    #expect(outcome.summary.rejects > Self.lineCount / 20)
    #expect(outcome.summary.rejectsByReason[.lineTooLong, default: 0] > 0)
  }

  /// A line after the other with every byte changed, and cut off at every byte.
  @Test func `every byte of a line that was predicted counts`() throws {
    let good = Array(
      line(
        "\"properties\":{\"page_name\":\"a\",\"page_number\":-12,\"item\":null},\"tags\":[\"b\",1],"
          + "\"context\":{\"device\":{\"screen\":{\"size\":true}},\"os\":\"\\u00e4\\/\u{65e5}\"}"
      ).utf8)
    var text: [UInt8] = good + [10] + good + [10]
    for place in good.indices {
      for byte in Array("\"x1{,}:-\\".utf8) + [0x20, 0x0D, 0xC3] {
        var changed = good
        changed[place] = byte
        text += changed + [10]
      }
      text += good[..<place] + [10] + good[place...] + [10]
      text += good[..<place] + good[(place + 1)...] + [10] + good + [10]
    }
    let outcome = try Self.expectAgreement(text)
    #expect(outcome.summary.events > 2 * good.count)
  }

  @Test func `what stands before a line counts`() throws {
    let good = line("\"properties\":{\"page_name\":\"a\",\"page_number\":7}")
    var text = ""
    for prefix in ["x", "{", " ", "\t ", "1 ", "[", "}", ",", "null", " x ", "\u{7F}", "\0", "\r"] {
      text += String(repeating: good + "\n", count: 6) + prefix + good + "\n" + good + " \n"
    }
    let outcome = try Self.expectAgreement(Array(text.utf8))
    #expect(outcome.summary.rejects == 10)
  }

  /// Keys of every length, before every kind of value.
  @Test func `keys that are beginnings of others`() throws {
    let values = [
      "\"p\"", "7", "-7", "null", "{}", "{\"a\":\"b\"}", "[\"a\",\"b\"]", "[1,2]", "[]",
    ]
    var text = ""
    for keyBytes in 1...70 {
      let key = String(repeating: "k", count: keyBytes)
      for value in values + values {
        text += line("\"\(key)\":\(value),\"properties\":{\"page_name\":\"n\"}") + "\n"
        text += line("\"x\":[\"\(key)\",\(value)],\"properties\":{\"page_name\":\(value)}") + "\n"
      }
    }
    let outcome = try Self.expectAgreement(Array(text.utf8))
    #expect(outcome.summary.rejects == 0)
  }

  /// Equal keys in several containers: other leaves, and other ends of the line.
  @Test func `the container that a key is in decides what it means`() throws {
    let inner = "\"j\":\"w\",\"page_name\":\"v\",\"size\":\"3\",\"os\":\"i\""
    let containers = [
      ("", ""), ("\"properties\":{", "}"), ("\"context\":{", "}"), ("\"x\":{", "}"),
      ("\"x\":[{", "}]"), ("\"properties\":{\"x\":{", "}}"), ("\"context\":{\"x\":{", "}}"),
      ("\"context\":{\"device\":{\"screen\":{", "}}}"), ("\"x\":[[{\"y\":{", "}}]]"),
    ]
    var text = ""
    for _ in 0..<2 {
      for (start, end) in containers { text += line(start + inner + end) + "\n" }
    }
    // Every beginning with every end, of which most are broken.
    for (start, _) in containers {
      for (_, end) in containers { text += line(start + inner + end) + "\n" }
    }
    let outcome = try Self.expectAgreement(Array(text.utf8))
    #expect(outcome.summary.rejects > containers.count)
  }

  @Test func `the last of equal objects wins`() throws {
    let properties = [
      "{\"page_name\":\"a\"}", "{\"page_number\":\"b\"}", "{}", "null", "\"t\"", "1", "true",
    ]
    var text = ""
    for _ in 0..<3 {
      for (first, second) in properties.flatMap({ one in properties.map { (one, $0) } }) {
        text += line("\"properties\":\(first),\"properties\":\(second)") + "\n"
        text += line("\"experiments\":\(first),\"x\":1,\"experiments\":\(second)") + "\n"
        text += line("\"context\":{\"device\":\(first),\"os\":\"i\"},\"context\":\(second)") + "\n"
      }
    }
    let outcome = try Self.expectAgreement(Array(text.utf8))
    #expect(outcome.summary.rejects == 0)
  }
}

extension ReferenceEvent {
  /// Names of more than 256 bytes are known by their beginnings and hashes.
  fileprivate var withShortNames: ReferenceEvent {
    guard case .event(var event) = self else { return self }
    event.values = event.values.map { $0.utf8.count > 200 ? String($0.prefix(200)) : $0 }
    return .event(event)
  }
}
