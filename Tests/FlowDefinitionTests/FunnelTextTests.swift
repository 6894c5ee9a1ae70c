import FlowDefinition
import Testing

/// Funnels as the command line takes them.
@Suite struct FunnelTextTests {
  @Test func `a funnel is read from one line`() throws {
    let steps = try FunnelText.steps(
      #"started > viewed[page_name=plan|"a, b", os=iOS] > "odd > name" or b > paid?"#)
    #expect(
      steps == [
        FunnelStep(anyOf: [EventPattern(event: "started")]),
        FunnelStep(anyOf: [
          EventPattern(
            event: "viewed",
            conditions: [
              PropertyCondition(property: "page_name", values: ["plan", "a, b"]),
              PropertyCondition(property: "os", values: ["iOS"]),
            ])
        ]),
        FunnelStep(anyOf: [EventPattern(event: "odd > name"), EventPattern(event: "b")]),
        FunnelStep(anyOf: [EventPattern(event: "paid")], isOptional: true),
      ])
    #expect(try FunnelText.steps("App Opened > b").first?.anyOf.first?.event == "App Opened")
  }

  @Test(arguments: ["", "a >", "a > b[c", "a[=x]", "a[b=]", "a?", "a ]", "\"a"])
  func `a malformed funnel is refused`(text: String) {
    #expect(throws: FunnelTextError.self) { try FunnelText.steps(text) }
  }
}
