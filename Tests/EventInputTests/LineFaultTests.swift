import EventInput
import Testing

/// Lines that could lead a scanner astray: by what they lack, or by what the next line begins with.
struct LineFaultTests {
  private static let device =
    "\"context\":{\"os\":\"iOS\",\"device\":{\"screen\":{\"width\":320,\"size\":\"large\"}}}"

  @Test(.timeLimit(.minutes(10)))
  func `a string without its end before a line with NULs`() throws {
    let good = line(Self.device, event: "page")
    // A value loses its end, and the line after it begins with what stood behind that value, up to
    // some NULs.
    let cut = "{\"event\":\"page"
    let gap = "\",\"user_id\":null,\"timestamp\":null,\"properties\":{\"page_name\":\""
    let long = cut + gap + "p\"},\"user_id\":\"u1\",\"timestamp\":\"2026-01-21T10:00:00Z\"}"
    for count in [31, 32, 33, 63] {
      let hostile = "\(cut)\n\(gap.prefix(count))\0\0\0\0\"}"
      for text in ["\(long)\n\(hostile)\n\(good)", "\(good)\n\(long)\n\(hostile)\n\(long)"] {
        let outcome = try scan(text + "\n")
        #expect(outcome.reasons == ["malformed_json", "malformed_json"])
        #expect(outcome.summary.events == text.split(separator: "\n").count - 2)
      }
    }
  }

  @Test func `an object where a list is expected does not bring back the line before it`() throws {
    let head = #"{"event_name":"a","event_timestamp":"1768989600000000","user_id":"u","#
    let list = #""event_params":[{"key":"page_name","value":{"string_value":"plan"}}]}"#
    let object = #""event_params":{"x":1}}"#
    var plan = TestPlan.plan()
    plan.format = .ga4
    let outcome = try scan("\(head)\(list)\n\(head)\(object)\n", plan: plan)
    #expect(outcome.reasons == [])
    #expect(outcome.events.map { $0.values[1] } == ["plan", "(none)"])
  }

  /// At many distances from the beginning of the block.
  @Test func `a line feed inside a string makes two lines that are none`() throws {
    let numbers = (0..<40).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    let tail = "\",\(numbers),\"last\":\"z\",\"nulls\":\(Self.nulls(20)),\"end\":\"w\"}"
    let whole = String(line("\"note\":\"ab").dropLast()) + tail
    let broken = String(line("\"note\":\"a\nb").dropLast()) + tail
    for filling in stride(from: 1, to: 8400, by: 97) {
      let padding = line("\"x\":\"\(String(repeating: "y", count: filling))\"")
      let text = [whole, padding, padding, broken, whole, broken, padding].joined(separator: "\n")
      let outcome = try scan(text)
      #expect(outcome.reasons == Array(repeating: "malformed_json", count: 4))
      #expect(outcome.events.count == 5)
    }
  }

  private static func nulls(_ count: Int) -> String {
    "{" + (0..<count).map { "\"k\($0)\":null" }.joined(separator: ",") + "}"
  }
}
