import FlowDefinition
import ReferenceEvaluator
import Testing

/// Random timelines are of use only where every rule has something to say.
struct CoverageTests {
  @Test func everyRateIsNeitherNothingNorEverything() throws {
    var sums: [[String]: (numerator: Int, denominator: Int)] = [:]
    for (_, result) in try IdentityTests.results() {
      for row in result.rows where row.version == "all" && row.experiment == "all" {
        guard row.cohort == "all", row.breakdown == "all", let denominator = row.denominator,
          !row.metric.hasPrefix("goal_value_")  // sums of amounts, no rates
        else { continue }
        // Single steps are too rare in so few persons; `(entry)` and `(unknown)` are not, but what
        // people did next there is.
        let isStep = row.metric.hasPrefix("step_") || row.metric == "skip_share"
        let isRare = !row.step.hasPrefix("(") || row.metric == "step_next_event"
        let key = [row.metric, isStep && isRare ? "any" : row.step]
        sums[key, default: (0, 0)].numerator += row.numerator
        sums[key, default: (0, 0)].denominator += denominator
      }
    }
    for (key, sum) in sums where !Self.isBound(key) {
      #expect(sum.numerator > 0 && sum.numerator < sum.denominator, "\(key) \(sum)")
    }
    #expect(sums.count > 50)
  }

  /// Rates that a rule makes 1: everybody in a funnel has its first step.
  private static func isBound(_ key: [String]) -> Bool {
    key[0] == "funnel_step" && key[1].hasSuffix(":1")
  }

  @Test func everyQualityCountAndPlaceIsMet() throws {
    var quality: [String: Int] = [:]
    var outcomes: Set<String> = []
    var classes: Set<Substring> = []
    for (_, result) in try IdentityTests.results() {
      quality.merge(result.quality) { $0 + $1 }
      for row in result.rows where row.numerator > 0 {
        if row.metric == "entered" { outcomes.insert(row.breakdown) }
        if row.metric == "entered" { outcomes.insert(row.variant) }
        if ["contaminated", "resumed", "replayed", "completed_late"].contains(row.metric) {
          outcomes.insert(row.metric)
        }
        if row.metric == "permission_joint" {
          classes.formUnion(row.step.split(separator: ",").map { $0.drop { $0 != "=" } })
        }
      }
    }
    for name in [
      "orphans", "existing_users", "existing_users_finished", "activity_only", "implied_starts",
      "ambiguous_pages", "ends_of_other_flows",
      "undeclared_pages", "page_conflicts", "views_outside_list", "facts_after_horizon",
      "shared_devices", "devices_with_several_users", "devices_with_users", "left_out",
    ] {
      #expect(quality[name, default: 0] > 3, "\(name)")
    }
    let wanted: Set<String> = [
      "outcome=(open)", "outcome=finished", "outcome=finished_after_skipping", "outcome=skipped",
      "outcome=abandoned",
      "used_skip=yes", "os=(none)", "(contaminated)", "(unassigned)", "(outside)",
      "(not exposed)", "Z", "contaminated",
      "resumed", "replayed", "completed_late",
    ]
    #expect(wanted.subtracting(outcomes).isEmpty)
    #expect(classes.count == 7)
  }
}
