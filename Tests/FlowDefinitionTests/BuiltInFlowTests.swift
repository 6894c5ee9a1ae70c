import FlowDefinition
import Foundation
import Testing

@Suite struct BuiltInFlowTests {
  @Test(arguments: FlowFile.builtInNames)
  func `every built-in flow parses without a remark`(name: String) throws {
    let parsed = try FlowFile.read(name)
    #expect(parsed.warnings == [])
    #expect(parsed.flow.id == name)
    #expect(parsed.flow.experiments.count == 1)
    #expect(parsed.flow.dimensions.map(\.id).prefix(3) == ["app_version", "os", "locale"])
    #expect(parsed.flow.dimensions.count >= 5)
  }

  @Test(arguments: FlowFile.builtInNames)
  func `the embedded text is the file in flows`(name: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = try Data(contentsOf: root.appendingPathComponent("flows/\(name).yaml"))
    #expect(FlowFile.builtInText(name)?.utf8.elementsEqual(file) == true)
  }

  private func ids(_ flow: Flow, _ list: [Int]) -> [String] { list.map { flow.steps[$0].id } }

  @Test func `memoss counts from 0 and skips ahead`() throws {
    let flow = try FlowFile.load("memoss")
    #expect(
      ids(flow, flow.defaultList)
        == ["welcome", "custom_snooze", "recurring_reminders", "sync", "notifications"])
    #expect(flow.countsFrom == 0)
    #expect(flow.skip == .leadsTo(step: 4))
    #expect(flow.permissions == ["notifications"])
    #expect(flow.retention.contains { $0.id == "d3" })
    #expect(flow.retention.contains { $0.window == .onOrAfter(1, until: 4) })
  }

  @Test func `unforgotten has two versions and a branch`() throws {
    let flow = try FlowFile.load("unforgotten")
    #expect(
      ids(flow, flow.defaultList) == [
        "welcome", "profile_setup", "theme_selection", "friend_code", "free_tier", "premium",
        "notifications", "completion",
      ])
    #expect(flow.newestVersion == "2")
    #expect(flow.versions.map(\.name) == ["1"])
    #expect(ids(flow, flow.versions[0].steps) == ["welcome", "account_setup", "profile_setup"])
    #expect(flow.steps[5].branchOf == 4)
    #expect(
      flow.goals.map { "\($0.id) \($0.by ?? "-")" } == [
        "friend_connected -", "friend_code role", "code_failed reason", "purchase_failed reason",
        "profile_not_saved reason", "paid product", "purchase_result status",
        "theme_chosen theme", "first_action card", "trial_started product", "trial_paid -",
        "renewed -", "refunded -", "invite_sent -", "invite_accepted -",
      ])
    let ended = try #require(flow.goals.first { $0.id == "purchase_result" })
    #expect(
      ended.take == .preferred(["purchased", "restored", "pending", "failed", "cancelled"]))
    #expect(
      flow.goals.filter { $0.value == "price" }.map(\.id)
        == ["paid", "renewed", "refunded"])
    #expect(
      flow.friction.map(\.id) == ["invalid_code", "purchase_error", "save_failed", "retry"])
  }

  @Test func `aiq has four pages and a test every three months`() throws {
    let flow = try FlowFile.load("aiq")
    #expect(
      ids(flow, flow.defaultList)
        == ["value_proposition", "how_tests_work", "testing_frequency", "privacy"])
    #expect(flow.countsFrom == 1)
    #expect(flow.expectedTotalMilliseconds == 120_000...180_000)
    #expect(flow.experiments[0].id == "copy")
    #expect(flow.experiments[0].variants.map(\.id) == ["A", "B"])
    let bracket = flow.retention.first { $0.id == "d80_110" }
    #expect(bracket?.pattern?.event == "test_completed")
    #expect(bracket?.anchor == .goal(0))
    #expect(flow.goals[0].id == "first_test_started")
  }

  @Test func `trendy has two versions and two permissions`() throws {
    let flow = try FlowFile.load("trendy")
    #expect(
      ids(flow, flow.defaultList)
        == ["welcome", "auth", "notification_priming", "location_priming", "completion"])
    #expect(
      ids(flow, flow.versions[0].steps) == [
        "welcome", "auth", "create_event_type", "log_first_event", "permissions", "finish",
      ])
    #expect(flow.permissions == ["notifications", "location"])
    #expect(flow.goals.map(\.id) == ["event_type_created", "template", "first_event_logged"])
    #expect(flow.steps.first { $0.id == "permissions" }?.asks == ["notifications", "location"])
    #expect(flow.friction.map(\.id) == ["sign_in_failed", "sign_in_cancelled"])
  }

  @Test func `dequeue has a short variant and targets`() throws {
    let flow = try FlowFile.load("dequeue")
    #expect(
      ids(flow, flow.defaultList)
        == ["welcome", "stack_concept", "active_focus", "create_first_stack", "ready"])
    #expect(
      flow.defaultList.map { flow.steps[$0].expectedMilliseconds }
        == [15_000, 15_000, 15_000, 30_000, 15_000])
    let experiment = flow.experiments[0]
    #expect(experiment.variants.map(\.id) == ["long", "three_screen"])
    #expect(experiment.control == 0)
    #expect(
      ids(flow, try #require(experiment.variants[1].steps))
        == ["welcome", "create_first_stack", "ready"])
    #expect(flow.goals[0].withinMilliseconds == 120_000)
    #expect(flow.goals[1].anchor == .event(EventPattern(event: "app_installed")))
    #expect(
      flow.targets.map(\.metric.rawValue) == [
        "completion_rate", "completion_rate", "skip_rate", "goal_rate", "time_to_goal_p50",
        "observational_lift_retention_d1", "observational_lift_retention_d7", "lift_retention_d7",
      ])
    #expect(
      experiment.variants[1].expectedTotalMilliseconds == 60_000...60_000)
    #expect(flow.targets[0].bound == .atLeast(0.8))
    #expect(flow.targets[1].bound == .atLeast(0.8))
    #expect(flow.targets[2].bound == .atMost(0.2))
  }
}
