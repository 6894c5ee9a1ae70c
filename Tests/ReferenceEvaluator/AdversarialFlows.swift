package import FlowDefinition
import Foundation

/// The adversarial flow, and the settings that change rules.
package enum AdversarialFlows {
  /// The file as it stands; a skip that jumps and calendar days; existing users included and pages
  /// counted from 0; identity by device; short windows, so that most persons have several attempts,
  /// of which the first counts or each does, and devices change hands; an event of the file's choice as
  /// the entry; names that are numbers and truth values; people who are left out, by any event, by one
  /// and by their ids.
  package static func all() throws -> [Flow] {
    let file = CaseFile.folder.appendingPathComponent("adversarial.yaml")
    let base = try FlowParser.parse(
      try String(contentsOf: file, encoding: .utf8), file: "adversarial.yaml"
    ).flow
    var jumping = base
    jumping.skip = .leadsTo(step: 1)
    jumping.day = .calendar
    jumping.timeZone = "Europe/Berlin"
    var including = base
    including.existingUsers = .include
    including.identity = .user
    including.countsFrom = 0
    including.skipsCountFrom = 1
    // One experiment with dates, in the middle of the random timelines, and one with an exposure.
    let noon = CaseEvent.origin + ReferenceTime.day / 2
    including.experiments[0].startMilliseconds = noon
    including.experiments[0].endMilliseconds = noon + 2 * ReferenceTime.day
    including.experiments[0].periods = [
      SplitPeriod(startMilliseconds: noon, shares: [0.9, 0.1]),
      SplitPeriod(startMilliseconds: noon + ReferenceTime.day, shares: [0.5, 0.5]),
    ]
    including.experiments[1].exposure = EventPattern(event: "app_opened")
    var devices = base
    devices.identity = .device
    var again = base
    again.windowMilliseconds = 3_600_000
    again.newAttemptAfterMilliseconds = 7_200_000
    again.stitchWithinMilliseconds = 30_000
    var each = again
    each.counting = .attempts
    each.newAttemptAfterMilliseconds = 60_000
    each.historyMilliseconds = 3 * 86_400_000
    each.stitchWithinMilliseconds = 86_400_000
    // Attempts begin with an event of the file's choice, which most people have several of.
    var chosen = again
    chosen.entry = EventPattern(event: "installed")
    chosen.existingUsers = .include
    chosen.skipsCountFrom = 0
    return [
      base, jumping, including, devices, again, each, chosen, numbered(base), leaving(again),
    ]
  }

  private static func leaving(_ base: Flow) -> Flow {
    var flow = base
    flow.leaveOut = LeaveOut(
      marks: [
        PersonMark(
          event: nil, conditions: [PropertyCondition(property: "colour", values: ["c1"])]),
        PersonMark(
          event: "purchase",
          conditions: [
            PropertyCondition(property: "status", values: ["failed"]),
            PropertyCondition(property: "colour", values: ["c0", "c2"]),
          ]),
        PersonMark(event: "never_sent"),
      ], ids: ["3", "d5", "d7", "null", "nobody"])
    return flow
  }

  /// Variants and values that have other spellings, of which some mean two names.
  private static func numbered(_ base: Flow) -> Flow {
    var flow = base
    for (index, names) in [["true", "false"], ["1", "0", "2"], ["True", "no"]].enumerated() {
      for (variant, name) in zip(flow.experiments[index].variants.indices, names) {
        flow.experiments[index].variants[variant].id = name
      }
    }
    flow.friction[0].pattern.conditions[0].values = ["true"]
    flow.friction[1].pattern.conditions[0].values = ["1"]
    flow.goals[2].pattern.conditions[0].values = ["1", "false"]
    return flow
  }
}
