internal import EventInput
public import FlowDefinition
internal import Timelines

extension FlowDraft {
  /// What opens the file: what it was made from, and why it says what it says.
  var head: [String] {
    let formats = sample.formats.map(\.rawValue).joined(separator: ", ")
    var lines = [
      "# A draft, made from \(sample.events.count) events of \(personCount) persons or devices.",
      "# Format: \(formats). Read it, and mend what it has guessed wrongly.",
      "#", "# Events that look like onboarding:",
    ]
    for part in CanonicalNames.events {
      for name in names.names(of: part) {
        let as_ = name == part ? "" : " as \(part)"
        lines.append("#   \(Self.comment(name))\(as_): \(eventCounts[name] ?? 0)")
      }
    }
    return lines + evidenceLines + unknowns.map { "# Not known: \(Self.comment($0, limit: 400))" }
  }

  private var evidenceLines: [String] {
    guard !guess.isCanonical || choice.end != nil else { return [] }
    var lines: [String] = []
    func add(_ title: String, _ name: String?, _ candidates: [RoleCandidate]) {
      guard let name else { return }
      let chosen = candidates.first { $0.name == name }
      lines.append("# \(title): \(Self.comment(name)). \(chosen?.evidence ?? "Your choice").")
      for other in candidates.prefix(3) where other.name != name && !isOtherEnd(other) {
        lines.append("#   instead? \(Self.comment(other.name)): \(other.evidence)")
      }
    }
    add("The start", choice.start, guess.starts)
    add("The end", choice.end, guess.ends + guess.lateEnds.map(\.candidate))
    for other in names.otherEnds {
      lines.append(
        "# The end of others: \(Self.comment(other.name)). \(other.evidence), and hardly anybody "
          + "has both.")
    }
    if let skip = choice.skip {
      lines.append("# A skip of the rest, by its name and place: \(Self.comment(skip))")
    }
    if let variant = choice.variant {
      lines.append("# The variant: \(Self.comment(variant.name)), \(variant.evidence)")
    }
    return lines
  }

  private func isOtherEnd(_ candidate: RoleCandidate) -> Bool {
    names.otherEnds.contains { $0.name == candidate.name }
  }

  /// What the data do not say, in sentences; empty where the draft knows its onboarding.
  public var unknowns: [String] {
    var unknowns: [String] = []
    if pages.isEmpty { unknowns.append("the steps: no page or step of an onboarding was found.") }
    if names.nameOfPart["onboarding_completed"] == nil {
      let like = guess.ends.prefix(3).map { "'\(Self.comment($0.name))'" }
      unknowns.append(
        "the end: no event was found with which the onboarding is completed, so completion is "
          + "unknown"
          + (like.isEmpty ? "." : "; is it \(like.joined(separator: " or "))?")
          + " Name it under 'events:' as onboarding_completed.")
    }
    if !choice.isConfirmed && choice.windowDays == nil {
      for late in guess.lateEnds {
        unknowns.append(
          "whether '\(Self.comment(late.name))' is the real end: \(late.evidence).")
      }
    }
    if !guess.isCanonical && choice.start == nil {
      unknowns.append("the start: attempts begin with a view of the first step.")
    }
    unknowns += otherSpellings
    for (name, events) in otherFlows {
      unknowns.append(
        "what becomes of people in the flow '\(Self.comment(name))', of which there are "
          + "\(RoleRanking.grouped(events)) events: a flow file is of one flow, and this one is of "
          + "'\(Self.comment(flowId))'.")
    }
    if undraftedSteps > 0 {
      unknowns.append(
        "\(RoleRanking.grouped(undraftedSteps)) more steps: a flow has \(FlowLimit.steps.maximum) "
          + "at most.")
    }
    if let pages = unusablePagesText {
      unknowns.append(
        "what to call pages with names that no step can have: \(pages). Their views are of no "
          + "step; give them other names with 'values:' under 'fields: page_name'.")
    }
    if !comparable.isEmpty {
      let these =
        comparable.count == 1 ? "the split of the experiment" : "the splits of the experiments"
      unknowns.append("\(these): equal shares are assumed.")
    }
    if choice.variant == nil && !choice.isConfirmed {
      for variant in guess.variants where variant.isNamed {
        guard let doubt = variant.doubt else { continue }
        unknowns.append(
          "whether '\(Self.comment(variant.name))' is an experiment's variant: \(doubt). No "
            + "experiment is drafted, so there is no verdict.")
      }
    }
    unknowns += otherExperiments
    for (id, doubt) in guess.doubtsOfExperiments.sorted(by: { $0.key < $1.key }) {
      unknowns.append(
        "whether '\(Self.comment(id))' is an experiment: \(doubt). It is not drafted, so there is "
          + "no verdict.")
    }
    return unknowns
  }

  /// Other spellings of the start: a platform's people who are in no number.
  private var otherSpellings: [String] {
    guard let start = choice.start else { return [] }
    return guess.starts.filter { NameHint.areSpelledAlike($0.name, start) }.map { other in
      "whether '\(Self.comment(other.name))' is '\(Self.comment(start))' in another spelling: "
        + "\(other.evidence). These people are in no number unless its events are mapped under "
        + "'events:' as well."
    }
  }

  /// What is called an experiment, too, and is not drafted.
  private var otherExperiments: [String] {
    var names = undraftedExperiments.map { "'\(Self.comment($0))'" }
    if let chosen = choice.variant, chosen.exposures == nil {
      names += guess.variants.filter { $0.isNamed && $0.doubt == nil && $0 != chosen }
        .map { "'\(Self.comment($0.name))'" }
    }
    if names.isEmpty { return [] }
    let shown = names.prefix(8).joined(separator: ", ")
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return [
      "whether \(shown)\(rest) \(names.count == 1 ? "is an experiment" : "are experiments"), too: "
        + "none of them is drafted, so there is no verdict."
    ]
  }

  /// Those that several people may see, with their views.
  private var unusablePagesText: String? {
    let pages = unusablePages.filter { $0.value > 1 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(3).map { "'\(Self.comment($0.key, limit: 60))' \($0.value)" }
    return pages.isEmpty ? nil : pages.joined(separator: ", ")
  }

  /// The flow's id as the name of a file: letters, digits, dashes, dots and underscores.
  public var name: String {
    let name = String(flowId.map { isInFileName($0) ? $0 : "_" }.drop { "-._".contains($0) })
    return name.isEmpty ? "my_app" : String(name.prefix(100))
  }

  private func isInFileName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
  }

  /// What is a guess and no name of FirstMile's own.
  public var guessed: [GuessedPart] {
    if choice.isConfirmed { return [] }
    var parts: [GuessedPart] = []
    if !guess.isCanonical && choice.start != nil { parts.append(.start) }
    if choice.end != nil { parts.append(.end) }
    let isGuessedField = names.screens == nil && pagePath != nil
    if !pages.isEmpty, !guess.namesSteps || isGuessedField { parts.append(.steps) }
    if !comparable.isEmpty { parts.append(.experiment) }
    return parts
  }

  /// What keeps a report from a good grade until somebody has read the file.
  var guessedLines: [String] {
    var lines: [String] = []
    if !guessed.isEmpty {
      lines += [
        "# Delete this line once you have read the file and agree with it.",
        "guessed: [\(guessed.map(\.rawValue).joined(separator: ", "))]",
      ]
    }
    if guess.screens?.event != nil {
      lines += ["# The app's other screens are no mistake.", "other_pages: ignore"]
    }
    return lines
  }

  var retentionLines: [String] {
    let event = choice.activity.map { "'\(Self.comment($0))'" } ?? "any event"
    var lines = ["# Who comes back: people with \(event) on the day."]
    if let activity = choice.activity {
      lines += ["retention:", "  - {days: [1, 7], event: \(Self.quoted(activity))}"]
    } else {
      lines += ["retention:", "  - {days: [1, 7]}"]
    }
    if !guess.sentByServer.isEmpty {
      lines.append("# Called like what a server sends, and mostly alone: no visit.")
    }
    if !guess.sentByMachine.isEmpty {
      let names = guess.sentByMachine.map { Self.comment($0) }.joined(separator: ", ")
      lines.append("# Sent by a machine or an SDK by itself, so no visit: \(names).")
    }
    let sent = (guess.sentByServer + guess.sentByMachine).sorted()
    if !sent.isEmpty {
      lines += DraftLines.list("not_activity", sent.map(Self.quoted))
    }
    return lines
  }
}
