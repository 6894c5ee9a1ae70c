import Testing

@testable import EventInput

@Suite("Events in containers of JSON")
struct ContainerTests {
  typealias Component = EventContainer.Component

  /// The beginning of a file, and how its events are packed; `nil` for one event a line.
  static let beginnings: [(text: String, container: EventContainer?)] = [
    (#"{"event":"a","timestamp":1}"# + "\n" + #"{"event":"b"}"#, nil),
    (#"{"event":"a"}"#, nil), ("", nil), ("no JSON at all", nil), ("\n\n", nil),
    // Lines that are cut off: inside an object, an array, a text.
    (#"{"event":"a","time"# + "\n" + #"{"event":"b"}"#, nil),
    (#"{"event_params":["# + "\n" + #"{"event":"b"}"#, nil),
    (#"{"event":"a","# + "\n" + #"{"event":"b"}"#, nil),
    // Events may have members that are called like wrappers.
    (#"{"event":"a","results":[{"x":1}]}"# + "\n", nil),
    (#"{"results":[{"x":1}],"event":"a"}"# + "\n", nil),
    (#"{"action":"a","data":[{"x":1}],"at":1}"# + "\n", nil),
    (#"{"action":"a","topic":"t","value":"v"}"# + "\n", nil),
    (#"{"action":"a","schema":1,"payload":{}}"# + "\n", nil),
    (#"[{"event":"a"},{"event":"b"}]"#, packed([.each])), ("[]", packed([.each], true)),
    (" [\n] \n", packed([.each], true)), ("[]\n{", nil), ("[1,2]\n{", nil),
    ("[[[[", nil),
    ("\u{FEFF}[ {}]", packed([.each])), ("[7,", nil),
    (#"{"event":"a","properties":{"name""# + "\n", nil),
    ("{\n  \"event\": \"a\",\n  \"x\": [\n {}\n ]\n}\n{\n", packed([])),
    ("{\"event\":\"a\",\n \"x\":\n {\"y\":1}}", packed([])),
    (#"{"event":"a"}{"event":"b"}"#, packed([])), (#"{"event":"a"} {"event":"b"}"#, packed([])),
    (#"{"next":null,"results":[{"event":"a"}]}"#, packed(nil, true)),
    (#"{"results":[],"next":"x"}"# + "\n", packed(nil, true)),
    (#"{"sentAt":"2026","batch":[{"type":"track"}]}"# + "\n{", packed(nil, true)),
    (#"{"batch":[{"a":1}]}{"batch":[]}"#, packed([], true)),
    ("{\n \"events\": [\n  {}\n ]\n}", packed(.lists())),
    (#"{"results":[{"event":"a"},{"event":"#, packed(.lists())),
    (#"{"_airbyte_ab_id":"1","_airbyte_data":{"event":"a"}}"#, packed(nil, true)),
    (
      #"{"type":"SCHEMA","stream":"s","schema":{}}"# + "\n"
        + #"{"type":"RECORD","stream":"s","record":{"event":"a"}}"# + "\n", packed(nil, true)
    ),
    (#"{"schema":{"type":"struct"},"payload":{"event":"a"}}"#, packed(nil, true)),
    (
      #"{"topic":"t","partition":0,"ts":1,"key":null,"payload":"{\"event\":\"a\"}"}"#,
      packed(nil, true)
    ),
    (
      #"{"messageType":"DATA_MESSAGE","logEvents":[{"id":"1","message":"{}"}]}"#,
      packed(nil, true)
    ),
    (#"[{"_airbyte_raw_id":"1","_airbyte_data":{"event":"a"}}]"#, packed([.each], true)),
    // Keys that hold much else: what is in the list decides.
    (#"{"data":[{"id":1,"event":"a"}],"next":null}"#, packed(nil, true)),
    (#"{"data":[{"x":{"event":"a"}}],"next":null}"#, nil),
    (#"{"data":[{"event":"a"},{"event":"#, packed(.lists(["data"]))),
    ("{\n \"Records\": [\n  {\"event_name\": 1}\n ]\n}", packed(.lists(["Records"]))),
    (#"{"items":[{"type":"identify","messageId":"m"}]}"#, packed(nil, true)),
    (#"{"action":"a","items":[{"name":"shoe","type":"x"}]}"# + "\n", nil),
    (#"{"data":[],"has_more":false}"#, packed(nil, true)), (#"{"data":[],"at":1}"#, nil),
    (#"{"before":null,"after":{"event":"a"},"source":{},"op":"c"}"#, packed(nil, true)),
    (#"{"event":"a","after":{},"before":{},"op":"c"}"#, nil),
  ]

  static func packed(_ path: [Component]?, _ opensEnvelopes: Bool = false) -> EventContainer {
    EventContainer(path: path, opensEnvelopes: opensEnvelopes)
  }

  @Test(arguments: beginnings)
  func `a file's beginning shows how its events are packed`(
    _ text: String, _ container: EventContainer?
  ) {
    let wanted = container.map { EventContainer.Finding.container($0) } ?? .lines
    #expect(Self.finding(Array(text.utf8), isWhole: true) == wanted)
    // Whatever is found in a part of it is what the whole shows.
    for count in 0..<text.utf8.count {
      let early = Self.finding(Array(text.utf8.prefix(count)), isWhole: false)
      #expect(early == .open || early == wanted, "after \(count) bytes")
    }
  }

  static func finding(_ bytes: [UInt8], isWhole: Bool) -> EventContainer.Finding {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
    return text.withUnsafeBytes { EventContainer.detect($0, isWhole: isWhole) }
  }

  /// A container's text, the way to its events, and the lines that come of it.
  static let contents: [(text: String, path: [Component], lines: [String])] = [
    (#"[{"a":1}, {"a":[1, {"b":"],}"}]} ]"#, [.each], [#"{"a":1}"#, #"{"a":[1, {"b":"],}"}]}"#]),
    ("{\n \"a\": \"x y\\\"\\\\\"\n}{\"b\":2}", [], [#"{  "a": "x y\"\\" }"#, #"{"b":2}"#]),
    (
      #"{"skip":[{"results":[{"no":1}]}],"results":[{"a":1},{"a":2}],"next":"x"}{"results":[]}"#,
      [.member("results"), .each], [#"{"a":1}"#, #"{"a":2}"#]
    ),
    (
      #"{"type":"SCHEMA","schema":{"record":{}}}"# + "\n" + #"{"record":{"a":1},"type":"RECORD"}"#,
      [.member("record")], [#"{"a":1}"#]
    ),
    (#"[1, null, "text", [2], {"a":1}]"#, [.each], ["1", "null", #""text""#, "[2]", #"{"a":1}"#]),
    (
      #"{"d":"{\"a\":\"\\u00e9\\n\\\"\",\u0022b\u0022:\n1}"}"#, [.member("d")],
      [#"{"a":"\u00e9\n\"","b": 1}"#]
    ),
    (
      #"{"logEvents":[{"id":"1","message":"{\"a\":1}"},{"message":"plain text"}]}"#,
      [.member("logEvents"), .each, .member("message")], [#"{"a":1}"#, "plain text"]
    ),
    (
      #"{"batch":[{"a":1}],"events":"no","n":[{"a":0}],"results":[{"a":2}]}"#,
      .lists(), [#"{"a":1}"#, #"{"a":2}"#]
    ),
    (#"{"k\"ey":1,"results":[{"a":1}]}"#, [.member("results"), .each], [#"{"a":1}"#]),
    (#"[{"a":1}] {"b":2} 3 [4]"#, [.each], [#"{"a":1}"#, #"{"b":2}"#, "3", "4"]),
  ]

  @Test(arguments: contents)
  func `events come one a line, however the bytes are cut`(
    _ text: String, _ path: [Component], _ lines: [String]
  ) {
    let bytes = Array(text.utf8)
    for size in [1, 2, 3, 7, bytes.count] {
      var walker = ContainerWalker(path)
      var output: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
          walker.take($0, into: &output)
        }
      }
      #expect(walker.isComplete)
      #expect(String(decoding: output, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
    }
  }

  @Test func `a cut container is not complete`() {
    for text in ["[", #"[{"a":1},"#, #"[{"a":"#, #"{"results":[{"a":1}]"#] {
      var walker = ContainerWalker(
        text.hasPrefix("[") ? [.each] : [.member("results"), .each])
      var output: [UInt8] = []
      Array(text.utf8).withUnsafeBytes { walker.take($0, into: &output) }
      #expect(!walker.isComplete)
      #expect(walker.isInEvent == text.hasSuffix(#""a":"#))
    }
  }
}
