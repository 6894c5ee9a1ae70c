import EventInput
import Testing

/// Events made straight from a template, against the same events from lines that no template fits.
struct TemplateTests {
  /// The lines with one more value. With an escape in its key a line is never learned: it goes to
  /// the scanner of any JSON.
  private static func text(_ lines: [String], key: String, more: String = "tt") -> String {
    lines.map { line in
      guard let end = line.lastIndex(of: "}") else { return line + "\n" }
      return line[..<end] + ",\"\(key)\":\"\(more)\"" + line[end...] + "\n"
    }.joined()
  }

  static func expectSame(_ lines: [String], _ plan: ScanPlan) throws {
    for more in ["tt", "\\t", "\\\"", "\\\\", "\\u00e9", "\u{e9}", "\u{65e5}\u{672c}\u{1f600}\\/"] {
      let own = more.unicodeScalars.reduce(0) { $0 + UTF8.width($1) }
      // As long, where lengths are bounded.
      guard plan.maximumLineBytes > 1000 || own == 2 else { continue }
      try expectSame(lines, plan, more: more)
    }
  }

  private static func expectSame(_ lines: [String], _ plan: ScanPlan, more: String) throws {
    let outcome = try scan(text(lines, key: "zzzzzzz", more: more), plan: plan)
    let expected = try scan(text(lines, key: "z\\u007a", more: more), plan: plan)
    #expect(outcome.events.count == expected.events.count)
    for (index, (event, other)) in zip(outcome.events, expected.events).enumerated() {
      #expect(event == other, "event \(index)")
    }
    let keys = ["line", "reason", "detail"]
    #expect(
      outcome.rejects.map { reject in keys.map { reject[$0] } }
        == expected.rejects.map { reject in keys.map { reject[$0] } })
    #expect(
      outcome.summary.timestampsWithoutOffset == expected.summary.timestampsWithoutOffset)
    #expect(outcome.summary.placeholders == expected.summary.placeholders)
    #expect(outcome.links == expected.links)
    #expect(outcome.tables.map(NameTableTests.kept) == expected.tables.map(NameTableTests.kept))
  }

  private static func slots(
    _ slots: [(path: [String], slot: Int)], more: [FieldRule] = [], limit: Int = 1000,
    tellsOthersApart: Bool = false
  ) -> ScanPlan {
    var plan = TestPlan.plan()
    plan.fields = plan.fields.filter { if case .slot = $0.role { false } else { true } }
    plan.fields += slots.map { FieldRule(path: $0.path, role: .slot($0.slot)) } + more
    plan.tables = [
      NameTablePlan(declared: ["started"], limit: limit, tellsOthersApart: tellsOthersApart)
    ]
    let count = (slots.map(\.slot).max() ?? 0) + 1
    plan.slotTables = Array(repeating: 0, count: count)
    return plan
  }

  private static let plans: [String: ScanPlan] = {
    let page = ["properties", "page_name"]
    let number = ["properties", "page_number"]
    let event = ["event"]
    func constant(_ slot: Int, _ value: String) -> FieldRule {
      FieldRule(path: [], role: .slot(slot), constant: value)
    }
    var plans = ["any": TestPlan.plan(), "long": TestPlan.plan(maximumLineBytes: 330)]
    plans["user"] = TestPlan.plan(identifiers: .user)
    plans["device"] = TestPlan.plan(identifiers: .device)
    plans["clock"] = TestPlan.plan()
    plans["clock"]?.timeZone = "Europe/Berlin"
    plans["constants"] = slots(
      [(event, 0), (page, 1), (number, 2)], more: [constant(1, "always"), constant(3, "c")])
    plans["constants"]?.slotTables = [0, 0, 0, 0]
    plans["constant event"] = slots(
      [(event, 0), (page, 1), (number, 2)], more: [constant(0, "always")])
    plans["no event"] = slots([(page, 1)], more: [constant(0, "always")])
    plans["two paths"] = slots([
      (event, 0), (["name"], 0), (page, 1), (number, 1), (["experiments"], 2),
      (["experiments", "copy"], 2),
    ])
    plans["two slots"] = slots([(event, 0), (page, 1), (page, 2), (["user_id"], 3), (event, 4)])
    plans["few names"] = slots([(event, 0), (page, 1), (number, 2)], limit: 3)
    plans["few names, told apart"] = slots(
      [(event, 0), (page, 1), (number, 2)], limit: 2, tellsOthersApart: true)
    plans["aliases"] = slots([(event, 0), (number, 2)])
    plans["aliases"]?.fields += [
      FieldRule(path: page, role: .slot(1), aliases: ["plan": "Plan", "page 1": "", "p": "plan"]),
      FieldRule(path: ["name"], role: .slot(0), aliases: ["page": ""]),
    ]
    plans["objects as ids"] = TestPlan.plan()
    for key in ["timestamp", "user_id", "device_id", "session_id", "event"] {
      plans["objects as ids"]?.fields.append(FieldRule(path: [key, "copy"], role: .slot(5)))
    }
    plans["other id"] = TestPlan.plan()
    plans["other id"]?.fields.append(FieldRule(path: ["previous_id"], role: .otherUser))
    plans["other ids"] = TestPlan.plan()
    plans["other ids"]?.fields += [
      FieldRule(path: ["previous_id"], role: .otherUser), FieldRule(path: ["name"], role: .user),
      FieldRule(path: ["session_id"], role: .device), FieldRule(path: ["time"], role: .timestamp),
    ]
    return plans
  }()

  @Test(arguments: plans.keys.sorted())
  func `an event is the same by template and scanned`(name: String) throws {
    let plan = try #require(Self.plans[name])
    let number = try #require(Self.plans.keys.sorted().firstIndex(of: name))
    for seed in 1...(SlowRuns.areWanted ? 24 : 2) {
      let generator = SeededGenerator(seed: UInt64(100 * number + seed))
      var maker = EventLineMaker(maker: ShapeMaker(generator: generator))
      let shapes = (0..<5).map { _ in maker.shape() }
      let lines = (0..<400).map { _ in maker.line(maker.maker.pick(shapes, or: shapes[0])) }
      try Self.expectSame(lines, plan)
    }
  }

  /// A batch's last row takes the last place for ids that wait to be hashed.
  @Test func `a line that is no event leaves no ids behind`() throws {
    let id = "c56a4180-65aa-42ec-a945-5fd21dec05"
    func event(_ number: Int) -> String {
      line("\"device_id\":\"\(id)\(1000 + number)\"", id: "\(id)\(100 + number)")
    }
    let nameless = line("\"device_id\":\"\(id)77\"", event: "", id: "\(id)78")
    let userless = line("\"device_id\":\"\(id)77\"", id: "0")
    for broken in [nameless, userless] {
      // Rejects take no row, and are learned too.
      let lines = (0..<8).map { _ in broken } + (0..<127).map(event) + [broken]
      try Self.expectSame(lines + (127..<140).map(event), TestPlan.plan(identifiers: .user))
    }
  }

  @Test func `a time that is an object is none, whatever else there is`() throws {
    var plan = TestPlan.plan()
    plan.fields += [
      FieldRule(path: ["timestamp", "copy"], role: .slot(5)),
      FieldRule(path: ["time"], role: .timestamp),
    ]
    let head = "{\"event\":\"page\",\"user_id\":\"u\",\"timestamp\":"
    let lines = ["null", "{\"copy\":\"b\"}", "\"\""].flatMap { value in
      Array(repeating: head + value + ",\"time\":\"2026-02-01T10:00:00Z\"}", count: 20)
    }
    try Self.expectSame(lines, plan)
  }

  @Test func `the last of equal keys wins, whatever it is`() throws {
    let values = [
      "{\"page_number\":7}", "{\"page_number\":\"7\"}", "{\"page_name\":\"x\"}", "{}", "null", "3",
      "{\"page_number\":null,\"page_name\":\"\"}",
    ]
    for key in ["properties", "experiments"] {
      var lines: [String] = []
      for (first, second) in values.flatMap({ one in values.map { (one, $0) } }) {
        // Often enough for what was learned before to be given up.
        let both = line(
          "\"\(key)\":\(first),\"x\":\"y\",\"\(key)\":\(second)", event: "e\(lines.count)")
        lines += Array(repeating: both, count: 8)
      }
      try Self.expectSame(lines, TestPlan.plan())
    }
  }

  /// Spaces before a key: its quote is farther from the value before than a short line is long.
  @Test func `a wide template is tried in the first line of a block`() throws {
    let spaces = String(repeating: " ", count: 2000)
    let wide = line("\"n\":1\(spaces),\"k\":\"v\"")
    let short = line("\"n\":1,\"k\":\"v\"")
    for bytes in [1 << 16, 1 << 17] {
      let head = Array(repeating: wide, count: 8).joined(separator: "\n") + "\n"
      let empty = line("\"x\":\"\"") + "\n"
      let count = bytes - 20 - head.utf8.count - empty.utf8.count
      let filling = line("\"x\":\"\(String(repeating: "y", count: count))\"") + "\n"
      let outcome = try scan(head + filling + "\(short)\n\(short)\n\(wide)\n")
      #expect(outcome.reasons == [])
      #expect(outcome.events.count == 12)
    }
  }

  @Test(arguments: ["\"\"", "null"])
  func `a line without an event's name leaves no names behind`(nothing: String) throws {
    for name in ["\"page\"", "7"] {
      func text(_ event: String, _ page: String) -> String {
        "{\"event\":\(event),\"user_id\":\"u\",\"timestamp\":\"2026-01-21T10:00:00Z\","
          + "\"properties\":{\"page_name\":\"\(page)\"}}\n"
      }
      let good = (0..<20).map { text(name, "p\($0 % 2)") }.joined()
      let nameless = (0..<20).map { text(nothing, "q\($0)") }.joined()
      let outcome = try scan(good + nameless + good)
      #expect(outcome.reasons == Array(repeating: "missing_event", count: 20))
      #expect(outcome.events.count == 40)
      #expect(NameTableTests.kept(outcome.tables[1]) == ["p0", "p1"])
    }
  }

  /// A template has a key of 2800 bytes; the last line has as many quotes, and is short. Where the
  /// block fills its room, nothing may be read behind that. Blocks begin with the line that the one
  /// before was cut in, and the first may be shorter than the others.
  @Test(arguments: [2, 3, 4, 5])
  func `a long template is tried in the last line of a full block`(halves: Int) throws {
    let last = line("\"k\":\"v\"") + "\n"
    let long = line("\"\(String(repeating: "k", count: 2800))\":\"v\"") + "\n"
    let (start, length) = (halves << 16, 1 << 17)
    var text = String(repeating: long, count: 8)
    func fill(to count: Int) {
      let empty = line("\"x\":\"\"") + "\n"
      let filling = String(repeating: "y", count: count - text.utf8.count - empty.utf8.count)
      text += line("\"x\":\"\(filling)\"") + "\n"
    }
    fill(to: start - (1 << 16) + 100)
    fill(to: start + 100)
    text += String(repeating: long, count: 4)
    fill(to: start + length - last.utf8.count)
    text += last
    let outcome = try scan(text + last + long)
    #expect(outcome.reasons == [])
    #expect(outcome.events.count == 18)
  }
}

/// Makes lines with all that an event may have, some with what is no event.
struct EventLineMaker {
  var maker: ShapeMaker

  struct Shape {
    var keys: [String]
    var style: LineShape.Style
    var beforeComma = ""
    /// Values that all lines of the shape have: so what is unusual has a template, too.
    var fixed: [String: String] = [:]
  }

  private static let usual: [String: [String]] = [
    "event": ["\"page\"", "\"started\"", "\"a name of more than thirty-two bytes\""],
    "timestamp": [
      "\"2026-01-21T10:00:00.5Z\"", "\"2026-01-22T11:00:00+02:00\"", "\"2026-01-21 10:00:00\"",
    ],
    "user_id": [
      "\"u1\"", "\"u2\"", "77", "\"c56a4180-65aa-42ec-a945-5fd21dec0538\"", "\"undefined\"",
    ],
    "device_id": ["\"u1\"", "\"0e37df36-f698-11e6-8dd4-cb9ced3df976\"", "\"(null)\""],
    "session_id": ["\"s\"", "\"7d444840-9dc0-11d1-b245-5ffdce74fad2\""],
    "properties": [],
    "experiments": ["\"x\"", "{\"copy\":\"a\"}"],
    "context": ["{\"os\":\"i\",\"device\":{\"screen\":{\"size\":3}}}"],
    "previous_id": ["\"u2\""], "name": ["\"page\""], "time": ["\"2026-02-01T10:00:00Z\""],
    "tags": ["[\"a\",1]"], "filling": ["\"\(String(repeating: "f", count: 60))\""],
  ]
  private static let unusual = [
    "\"\"", "null", "7", "-1.50", "true", "false", "{}", "\"0\"", "\"000-0\"", "\"1769000000\"",
    "1769000000", "\"2026-01-21T10:00:00\"", "\"2026-01-21\"", "\"1999-01-21T10:00:00Z\"",
    "{\"copy\":\"b\",\"page_name\":\"c\"}", "[\"a\"]", "\"\(String(repeating: "v", count: 40))\"",
  ]

  mutating func shape() -> Shape {
    var keys = ["event", "timestamp", "user_id", "device_id", "properties"]
    for key in ["session_id", "experiments", "context", "tags", "filling"] where maker.below(2) == 0
    {
      keys.append(key)
    }
    for key in ["previous_id", "name", "time"] where maker.below(4) == 0 { keys.append(key) }
    if maker.below(4) == 0 { keys.append(maker.pick(keys, or: "event")) }
    if maker.below(2) == 0 { keys.shuffle(using: &maker.generator) }
    var shape = Shape(
      keys: keys, style: maker.style(), beforeComma: maker.below(4) == 0 ? " " : "")
    for _ in 0..<maker.below(3) {
      shape.fixed[maker.pick(keys, or: "")] = maker.pick(Self.unusual, or: "")
    }
    return shape
  }

  mutating func line(_ shape: Shape) -> String {
    var odd = maker.below(3) == 0 ? maker.pick(shape.keys, or: "") : ""
    let members = shape.keys.map { key -> String in
      defer { if key == odd { odd = "" } }
      let value = key == odd ? maker.pick(Self.unusual, or: "") : shape.fixed[key] ?? usual(key)
      return "\"\(key)\":\(shape.style.afterColon)\(value)\(shape.beforeComma)"
    }
    return shape.style.lineStart + "{" + members.joined(separator: "," + shape.style.afterComma)
      + "}" + shape.style.lineEnd
  }

  private mutating func usual(_ key: String) -> String {
    guard key == "properties" else { return maker.pick(Self.usual[key] ?? [], or: "null") }
    let page = maker.pick(["\"plan\"", "\"page \(maker.below(30))\"", "\"p\"", "\"\""], or: "")
    let number = maker.pick(["\"\(maker.below(12))\"", "1", "2.50", "null"], or: "")
    return "{\"page_name\":\(page),\"page_number\":\(number),\"item\":null}"
  }
}
