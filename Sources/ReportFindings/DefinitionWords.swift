internal import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// What the numbers mean, in the words of somebody who does not know the program.
package struct DefinitionWords {
  package var term: String
  package var meaning: String

  package static func all(_ analysis: Analysis) -> [DefinitionWords] {
    let flow = analysis.flow
    return people(flow) + outcomes(flow, hasSkips: analysis.hasSkips) + steps + later(flow)
      + [otherTools(flow)]
  }

  /// Why the number of another tool may differ.
  private static func otherTools(_ flow: Flow) -> DefinitionWords {
    let window = DurationText.format(flow.windowMilliseconds)
    let left = flow.existingUsers == .exclude ? "existing users and people" : "people"
    return DefinitionWords(
      term: "Another tool’s number",
      meaning: "It differs where its rules do. Here a person counts once and has \(window) from "
        + "the entry to finish, and \(left) who joined too recently are left out. Compare that "
        + "first, then how devices become people and in which time zone days begin. “firstmile "
        + "reconcile” counts one funnel by the rules of both tools and names those that differ.")
  }

  private static func people(_ flow: Flow) -> [DefinitionWords] {
    let identity =
      switch flow.identity {
      case .stitched: "a user, with the devices the user was seen on before signing in"
      case .user: "a user id"
      case .device: "a device id"
      }
    let window = DurationText.format(flow.windowMilliseconds)
    let lead = DurationText.format(flow.leadMilliseconds)
    return [
      DefinitionWords(term: "Person", meaning: identity.capitalizedFirst + "."),
      DefinitionWords(
        term: "Entry",
        meaning: "The first start of the flow, or the first view of its first step. "
          + (flow.existingUsers == .exclude
            ? "People who used the app more than \(lead) before it are left out as existing "
              + "users; an unfinished attempt alone makes nobody one."
            : "People who used the app long before it count like everyone.")
          + (flow.leaveOut.isEmpty
            ? "" : " People whom the flow file leaves out (leave_out) are in no number.")),
      DefinitionWords(
        term: "Attempt",
        meaning: "From the entry to the outcome, at most \(window), its end included. "
          + attempts(flow)),
      DefinitionWords(
        term: "People counted",
        meaning:
          "Those who entered and whose \(window) are over. The others joined too recently to count "
          + "(immature): shown beside a rate, never in it."),
    ]
  }

  private static func attempts(_ flow: Flow) -> String {
    guard let gap = flow.newAttemptAfterMilliseconds else {
      return "A person has one attempt."
    }
    let count =
      switch flow.counting {
      case .persons: "A person counts once, with the first attempt of the period."
      case .attempts: "Every attempt counts on its own, so nothing is tested."
      }
    return "A later start begins a new one after \(DurationText.format(gap)) without onboarding. "
      + count
  }

  private static func outcomes(_ flow: Flow, hasSkips: Bool) -> [DefinitionWords] {
    let abandoned = DefinitionWords(
      term: "Abandoned", meaning: "No such end within the attempt’s window.")
    if !hasSkips {
      return [
        DefinitionWords(
          term: "Finished",
          meaning: "A completion within the attempt’s window. There is no Skip that ends this "
            + "flow; a step that is skipped by itself is declined."), abandoned,
      ]
    }
    let skip =
      switch flow.skip {
      case .ends:
        "A skip, or a completion by skipping, came first, and no completion followed within the "
          + "attempt’s window."
      case .leadsTo(let step):
        "A skip jumps to \(flow.steps[step].title) and ends nothing; nobody leaves by "
          + "skipping."
      }
    let finished =
      switch flow.skip {
      case .ends:
        "A completion within the attempt’s window, after a skip too. One that comes within 2 "
          + "seconds of a skip only repeats it."
      case .leadsTo: "A completion within the attempt’s window."
      }
    return [
      DefinitionWords(term: "Finished", meaning: finished),
      DefinitionWords(term: "Left by skipping", meaning: skip), abandoned,
    ]
  }

  private static let steps = [
    DefinitionWords(
      term: "Reach", meaning: "Viewed the step, of those who should see it."),
    DefinitionWords(
      term: "Left here",
      meaning: "It was the furthest step viewed, and the flow was not finished."),
    DefinitionWords(
      term: "Passed over", meaning: "Not viewed, though a later step was, or the flow finished."),
  ]

  /// The columns of a balance sheet that sound alike.
  package static func ofBalance(_ analysis: Analysis) -> [DefinitionWords] {
    var words = [
      DefinitionWords(
        term: "Abandoned",
        meaning: "this was the furthest step they viewed, and they neither finished nor skipped.")
    ]
    if !analysis.flow.permissions.isEmpty {
      words.append(
        DefinitionWords(
          term: "After denying",
          meaning: "denying a permission was the last thing they did. The permissions below count "
            + "each person by one answer, so that the sums may differ."))
    }
    if analysis.endsBySkipping {
      words.append(
        DefinitionWords(
          term: "Left skipping",
          meaning: "they tapped Skip, this was the furthest step they viewed, and they never "
            + "finished."))
    }
    return words + [
      DefinitionWords(
        term: "Passed over",
        meaning: "they didn’t view this step, though they viewed a later one or finished."),
      DefinitionWords(
        term: "Declined",
        meaning: "they viewed it and skipped this step alone (“not now”), which ends nothing."),
      DefinitionWords(
        term: "Went back", meaning: "they viewed it again after a later step."),
    ]
  }

  private static func later(_ flow: Flow) -> [DefinitionWords] {
    let rateInterval =
      switch flow.statistics.rateInterval {
      case .wilson: "Wilson"
      case .clopperPearson: "Clopper–Pearson"
      }
    let day =
      flow.day == .hours24
      ? "Day N is the 24 hours that begin N × 24 hours after the entry."
      : "Day N is the N-th calendar day after the entry’s, in \(flow.timeZone)."
    let ignored =
      flow.notActivity.isEmpty
      ? "" : " These don’t count: \(flow.notActivity.joined(separator: ", "))."
    return [
      DefinitionWords(
        term: "Retention",
        meaning: "Any event in the window shows that a person came back, if it follows the visit "
          + "in which the attempt ended (events at most 30 minutes apart) and is none of the "
          + "onboarding’s own from within "
          + "\(RateText.duration(Double(flow.windowMilliseconds) / 1000)) of the entry. " + day
          + ignored),
      DefinitionWords(
        term: "Variant",
        meaning: "What the person’s events name, from "
          + "\(DurationText.format(flow.leadMilliseconds)) before the entry to "
          + "\(DurationText.format(flow.windowMilliseconds)) after it. " + contamination(flow)),
      DefinitionWords(
        term: "Intervals",
        meaning: "95 %: \(rateInterval) for a rate, Miettinen–Nurminen for a difference or a "
          + "lift; p-values by the score test\(correction(flow)). Who had finished by a time is "
          + "estimated by Aalen and Johansen’s method, who had come back by Kaplan and Meier’s."),
    ]
  }

  /// How the comparisons of an experiment are adjusted.
  private static func correction(_ flow: Flow) -> String {
    guard !flow.experiments.isEmpty else { return "" }
    return switch flow.statistics.correction {
    case .holm: ", in experiments adjusted by Holm’s method"
    case .benjaminiHochberg: ", in experiments adjusted by Benjamini and Hochberg’s method"
    case .none: ""
    }
  }

  private static func contamination(_ flow: Flow) -> String {
    let rules = Set(flow.experiments.map(\.contaminated))
    let first = "People seen with several count with the first."
    let excluded = "People seen with several are contaminated, and in no comparison."
    if rules.count <= 1 { return rules.contains(.exclude) ? excluded : first }
    let names = flow.experiments.filter { $0.contaminated == .exclude }.map(\.title)
    return first + " In \(names.listed) they are contaminated, and in no comparison."
  }
}
