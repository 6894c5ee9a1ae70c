import EventInput
import Testing

/// Lines that are built alike, so that their keys are predicted and their values are known, against
/// each of them scanned alone.
struct AlikeEventsTests {
  static func expectSame(_ lines: [String], _ plan: ScanPlan) throws {
    // Alone, a line might look like one of another format.
    var plan = plan
    plan.format = .canonical
    let outcome = try scan(lines.joined(separator: "\n") + "\n", plan: plan)
    let alone = try lines.map { try scan($0 + "\n", plan: plan) }
    let events = alone.flatMap(\.events)
    #expect(outcome.events.count == events.count)
    for (index, (event, other)) in zip(outcome.events, events).enumerated() {
      #expect(event == other, "event \(index)")
    }
    let keys = ["reason", "detail"]
    #expect(
      outcome.rejects.map { reject in keys.map { reject[$0] } }
        == alone.flatMap(\.rejects).map { reject in keys.map { reject[$0] } })
    #expect(
      outcome.summary.timestampsWithoutOffset
        == alone.reduce(0) { $0 + $1.summary.timestampsWithoutOffset })
    #expect(
      outcome.summary.placeholders
        == alone.reduce(into: [:]) { $0.merge($1.summary.placeholders, uniquingKeysWith: +) })
    #expect(outcome.links == alone.flatMap(\.links))
  }

  private static func slots(
    _ slots: [(path: [String], slot: Int)], more: [FieldRule] = []
  ) -> ScanPlan {
    var plan = TestPlan.plan()
    plan.fields = plan.fields.filter { if case .slot = $0.role { false } else { true } }
    plan.fields += slots.map { FieldRule(path: $0.path, role: .slot($0.slot)) } + more
    plan.tables = [NameTablePlan(declared: ["started"], limit: 1000, tellsOthersApart: false)]
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
  func `an event is the same after others and alone`(name: String) throws {
    let plan = try #require(Self.plans[name])
    let number = try #require(Self.plans.keys.sorted().firstIndex(of: name))
    for seed in 1...(SlowRuns.areWanted ? 24 : 1) {
      let generator = SeededGenerator(seed: UInt64(100 * number + seed))
      var maker = EventLineMaker(maker: ShapeMaker(generator: generator))
      let shapes = (0..<5).map { _ in maker.shape() }
      let lines = (0..<200).map { _ in maker.line(maker.maker.pick(shapes, or: shapes[0])) }
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
        let both = line(
          "\"\(key)\":\(first),\"x\":\"y\",\"\(key)\":\(second)", event: "e\(lines.count)")
        lines += [both, both]
      }
      try Self.expectSame(lines, TestPlan.plan())
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
}

/// Makes lines with all that an event may have, some with what is no event.
struct EventLineMaker {
  var maker: ShapeMaker

  struct Shape {
    var keys: [String]
    var style: LineShape.Style
    var beforeComma = ""
    /// Values that all lines of the shape have.
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
