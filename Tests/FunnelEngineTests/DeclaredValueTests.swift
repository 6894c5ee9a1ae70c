import FlowDefinition
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// What a flow asks for by name is found however many other names there are, and whatever other
/// flows of the run ask for.
struct DeclaredValueTests {
  private static let head = "window: 1h\nsteps: [welcome, plan]\n"

  private static func flow(_ id: String, _ rest: String) throws -> Flow {
    try FlowParser.parse("flow: \(id)\n\(head)\(rest)\n", file: "\(id).yaml").flow
  }

  private static func line(
    _ event: String, _ user: String, after seconds: Int, _ more: String = ""
  ) -> String {
    """
    {"event":"\(event)","user_id":"\(user)","timestamp":\(1_770_000_000 + seconds)\(more)}
    """
  }

  /// Two persons buy what is asked for, and each of 300 others something of its own.
  private static func purchases(_ property: String, _ value: String) -> [String] {
    (0..<302).flatMap { number in
      let user = "u\(number)"
      let bought = number < 2 ? value : "\"other-\(number)\""
      return [
        line("onboarding_started", user, after: 0),
        line("purchase", user, after: 60, #","properties":{"\#(property)":\#(bought)}"#),
      ]
    } + (0..<3).map { line("visit", "z\($0)", after: 30 * 86_400) }
  }

  private static func reached(_ evaluated: Evaluated, _ goal: String) -> Int? {
    evaluated.analysis.row(.goalRate, step: goal)?.numerator
  }

  @Test(arguments: [
    ("item", "\"silver\""), ("status", "\"paid\""), ("page_number", "7777"),
    ("completion_method", "\"tour\""), ("permission", "\"fax\""), ("prompted", "\"later\""),
    ("product", "\"silver\""),
  ])
  func asked(property: String, value: String) async throws {
    let name = value.filter { $0 != "\"" }
    let flow = try Self.flow(
      "a", "goals: [{id: g, event: purchase, where: {\(property): \"\(name)\"}, within: 1h}]")
    let lines = Self.purchases(property, value)
    #expect(Self.reached(try await Evaluated(files: [lines], flow: flow), "g") == 2)
  }

  @Test func besideAnotherFlow() async throws {
    let gold = try Self.flow(
      "gold", "goals: [{id: g, event: purchase, where: {product: gold}, within: 1h}]")
    let silver = try Self.flow(
      "silver", "goals: [{id: g, event: purchase, where: {properties.product: silver}, within: 1h}]"
    )
    let lines = Self.purchases("product", "\"silver\"")
    for beside in [[], [gold]] {
      let found = try await Evaluated(files: [lines], flow: silver, beside: beside)
      #expect(Self.reached(found, "g") == 2, "beside \(beside.map(\.id))")
    }
  }

  /// A property and a field of the event, or another flow's dimension, may have one name.
  @Test(arguments: ["event", "flow", "flow_version", "experiment", "variant", "plan"])
  func propertyOfTheNameOfAField(name: String) async throws {
    let flow = try Self.flow(
      "a",
      """
      goals: [{id: g, event: purchase, where: {\(name): gold}, by: \(name), within: 1h}]
      """)
    let other = try Self.flow("b", "dimensions: [{id: plan, path: plan}]")
    let lines = Self.purchases(name, "\"gold\"")
    for beside in [[], [other]] {
      let found = try await Evaluated(files: [lines], flow: flow, beside: beside)
      #expect(Self.reached(found, "g") == 2, "beside \(beside.map(\.id))")
    }
  }

  /// Variants beyond those that keep their names are `(other)`, and still two.
  @Test func undeclaredVariantsOfOneMillisecond() async throws {
    let flow = try Self.flow(
      "a", "experiments: {exp: {control: x, split: {x: 50%, y: 50%}}}")
    let lines = (0..<120).flatMap { number -> [String] in
      func seen(_ user: String, _ variant: Int) -> String {
        Self.line("visit", user, after: 5, #","experiments":{"exp":"w\#(variant)"}"#)
      }
      let pair = "c\(number)"
      return [
        Self.line("onboarding_started", "v\(number)", after: 0), seen("v\(number)", number),
        Self.line("onboarding_started", pair, after: 0), seen(pair, number),
        seen(pair, (number + 1) % 120),
      ]
    }
    let options = ReferenceOptions(asOfMilliseconds: 1_780_000_000_000)
    let found = try await Evaluated(files: [lines], flow: flow, options: options)
    #expect(found.analysis.experiments.map(\.contaminated) == [120])
  }
}
