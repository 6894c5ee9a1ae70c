@testable import FlowDefinition
@testable import FunnelMetrics
@testable import ReportText
import Testing

@Suite("Names of programs in words")
struct PlainNameTests {
  @Test(arguments: [
    ("already_used", "already used"), ("app_opened", "app opened"), ("to_paid", "to paid"),
    ("step_2_done", "step 2 done"), ("true", "yes"), ("false", "no"),
  ])
  func `underscores become spaces`(_ name: String, _ words: String) {
    #expect(PlainName.of(name) == words)
  }

  @Test(arguments: [
    "welcome", "en_US", "iOS 26.1", "1.4.2", "(none)", "", "_private", "a__b", "trailing_", "2_b",
    "größe_neu", "appOpened",
  ])
  func `what somebody wrote in another way stays`(_ name: String) {
    #expect(PlainName.of(name) == name)
  }

  @Test func `names that would be the same words stay apart`() {
    #expect(PlainName.of(["a_b", "a b", "c_d"]) == ["a_b", "a b", "c d"])
  }

  @Test func `dimensions have the names that people use`() {
    var flow = Flow(id: "app", steps: [Step(id: "welcome")])
    flow.dimensions = ["app_version", "os", "locale"].map { Dimension(id: $0, path: $0) }
    let words = flow.dimensions.map { flow.words(ofDimension: $0.id) }
    #expect(words == ["app version", "OS", "language"])
    flow.dimensions.append(Dimension(id: "language", path: "language"))
    #expect(flow.words(ofDimension: "locale") == "locale")
  }

  @Test func `a view of a page is said by the step's title`() {
    let flow = Flow(id: "app", steps: [Step(id: "free_tier", title: "Free tier")])
    func words(_ event: String, _ property: String, _ values: [String]) -> String {
      let condition = PropertyCondition(property: property, values: values)
      return EventPattern(event: event, conditions: [condition]).words(flow)
    }
    #expect(words("onboarding_page_viewed", "page_name", ["free_tier"]) == "Free tier viewed")
    #expect(
      words("subscription_charged", "period_kind", ["first", "second_one"])
        == "Subscription charged (period kind: first, second one)")
    #expect(EventPattern(event: "invite_sent").words(flow) == "Invite sent")
  }

  @Test func `a moment is written as dates are`() {
    #expect(DateText.minute(1_775_347_199_000) == "4 Apr 2026, 23:59 UTC")
    #expect(DateText.minute(-1000) == "31 Dec 1969, 23:59 UTC")
    #expect(DateText.minute(0) == "1 Jan 1970, 00:00 UTC")
  }

  @Test func `a duration that is shown as nothing has no sign`() {
    #expect(RateText.signedDuration(-0.04) == "0 s")
    #expect(RateText.signedDuration(-0.06) == "−0.1 s")
  }
}
