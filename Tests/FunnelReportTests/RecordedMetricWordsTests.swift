import FlowDefinition
import Testing

@testable import FunnelMetrics

/// What `compare` calls the rates of two files, which have ids and no titles.
@Suite struct RecordedMetricWordsTests {
  @Test(arguments: [
    ("completion_rate", "all", "Completion"),
    ("step_reach", "how_tests_work", "Reach of How tests work"),
    ("goal_rate", "first_test_started", "First test started"),
    ("friction_rate", "app_crashed", "Friction: App crashed"),
    ("permission_reach", "photo_library", "Asked for photo library"),
    ("retention_d7", "all", "Day 7 retention"),
    ("retention_d80_110", "all", "Days 80–110 retention"),
    ("retention_on_or_after_d7", "all", "Day 7 or later retention"),
    ("retention_inviter_d7", "all", "Day 7 retention (inviter)"),
    ("retention_good_friend_on_or_after_d7", "all", "Day 7 or later retention (good friend)"),
    ("retention_inviter_d7_overall", "all", "Day 7 retention (inviter), of everyone"),
    ("something_new", "plan", "Something new: plan"),
  ])
  func `a rate has the words of a report`(_ metric: String, _ step: String, _ words: String) {
    #expect(RecordedMetricWords.of(MetricName(rawValue: metric), step: step) == words)
  }
}
