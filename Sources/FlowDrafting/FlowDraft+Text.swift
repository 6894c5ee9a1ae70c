internal import EventInput
internal import FlowDefinition
internal import Timelines

extension FlowDraft {
  /// The flow file.
  public var text: String {
    var lines = head
    lines += ["flow: \(Self.quoted(flowId))"] + guessedLines + [windowLine, identityLine]
    lines += testerLines
    if hasSkip {
      lines.append("# What a skip does: \(skipWords)")
      lines.append(skipLeadsTo.map { "skip: {leads_to: \(Self.quoted($0))}" } ?? "skip: ends")
    }
    lines.append("counts_from: \(countsFrom)               # the number of the first page")
    lines += stepLines + versionLines + experimentLines + permissionLines
    lines += retentionLines + ["time_zone: UTC"]
    if !dimensions.isEmpty {
      lines.append("# Fields that most onboarding events have, with few values.")
      lines.append("dimensions:")
      for dimension in dimensions {
        let path =
          dimension.path == "context.\(dimension.id)"
          ? Self.quoted(dimension.id)
          : "{id: \(Self.quoted(dimension.id)), path: \(Self.quoted(dimension.path))}"
        lines.append("  - \(path)  # \(dimension.values) values")
      }
    }
    lines += mappingLines + goalLines
    return lines.joined(separator: "\n") + "\n"
  }

  private var windowLine: String {
    choice.windowDays.map { "window: \($0)d                  # the end comes days later" }
      ?? "window: 24h"
  }

  private var identityLine: String {
    hasUsers && hasDevices
      ? "identity: stitched            # device before sign-in, user after"
      : hasUsers
        ? "identity: user                # no event names a device"
        : "identity: device              # no event names a user"
  }

  private var skipWords: String {
    skipLeadsTo.map { "most who skip see '\(Self.comment($0))' next" } ?? "hardly a page after it"
  }

  private var stepLines: [String] {
    let most = pages.map(\.persons).max() ?? 0
    var lines = ["# Pages in their usual order; persons who saw each."]
    guard !pages.isEmpty else {
      return lines + ["# No page was found: name your own.", "steps: [first_page]"]
    }
    if guess.screens != nil {
      lines.append("# These are the app's screens: keep those of the onboarding.")
    }
    if !branches.isEmpty {
      lines.append("# Optional: few see it, or people see it instead of another.")
    }
    lines.append("steps:")
    for (page, persons) in pages {
      var parts = ["id: \(Self.quoted(page))"]
      // Few see it, though it is not the last: a branch, or an optional page.
      let isLast = page == pages.last?.page
      let later = pages.drop { $0.page != page }.dropFirst().map(\.persons).max() ?? 0
      let isOptional =
        !isLast && page != pages.first?.page && persons * 2 < later && persons * 4 < most * 3
        || branches.contains(page)
      if isOptional { parts.append("optional: true") }
      if let asked = permissions.first(where: { $0.page == page }),
        permissions.first(where: { $0.name == asked.name })?.page == page
      {
        parts.append("asks: \(Self.quoted(asked.name))")
      }
      let item = parts.count == 1 ? Self.quoted(page) : "{\(parts.joined(separator: ", "))}"
      lines.append("  - \(item)  # \(persons)")
    }
    return lines
  }

  private var versionLines: [String] {
    guard let newest = pagesOfVersion.last else { return [] }
    var lines = ["version: \(Self.text(newest.version))", "versions:"]
    var declared = Set(self.pages.map(\.page))
    for (version, pages) in pagesOfVersion.dropLast() {
      let list = (pages.isEmpty ? self.pages.map(\.page) : pages).map { page in
        // A page that only older versions have is declared where it is first named.
        declared.insert(page).inserted ? "{id: \(Self.quoted(page))}" : Self.quoted(page)
      }
      lines += DraftLines.list(Self.text(version), list, indent: "  ")
    }
    return lines
  }

  private var experimentLines: [String] {
    if comparable.isEmpty { return [] }
    var lines = ["# Variants by events that bear them; say which is the control, and the split."]
    lines.append("experiments:")
    for (id, variants) in comparable {
      let names = variants.map(\.0)
      let control = Self.control(among: variants) ?? controlOfExperiment[id] ?? names[0]
      let counts = variants.map { "\(Self.comment($0.0)) \($0.1)" }.joined(separator: ", ")
      lines +=
        [
          "  \(Self.quoted(id)):  # \(counts)", "    control: \(Self.text(control))",
        ] + DraftLines.list("variants", names.map(Self.text), indent: "    ")
      lines += variantListLines(id)
    }
    return lines
  }

  private func variantListLines(_ experiment: String) -> [String] {
    let own = variantLists.filter { $0.experiment == experiment }
    if own.isEmpty { return [] }
    // The newest version's pages are the steps themselves.
    var declared = Set(pages.map(\.page) + pagesOfVersion.dropLast().flatMap(\.pages))
    return ["    steps:  # the lists of variants that show other pages, or in another order"]
      + own.flatMap { list in
        let pages = list.pages.map { page in
          declared.insert(page).inserted ? "{id: \(Self.quoted(page))}" : Self.quoted(page)
        }
        return DraftLines.list(Self.text(list.variant), pages, indent: "      ")
      }
  }

  private var permissionLines: [String] {
    guard !permissions.isEmpty else { return [] }
    return DraftLines.list("permissions", permissions.map { Self.quoted($0.name) })
  }

  private var mappingLines: [String] {
    var lines: [String] = []
    if !names.mappings.isEmpty {
      lines.append("events:")
      for (from, to) in names.mappings { lines.append("  \(Self.text(from)): \(to)") }
    }
    var fields = ownFlowLines
    if let pagePath { fields.append("  page_name: \(Self.text(pagePath))") }
    if let pages = names.screens?.pageOfEvent, !pages.isEmpty {
      let values = pages.sorted { $0.key < $1.key }.map { (Self.text($0.key), Self.text($0.value)) }
      fields += DraftLines.values("page_name", path: "event", values)
    }
    if let variant = choice.variant, let experiment = experiments.first {
      fields += [
        variant.exposures.map { "  experiment: \(Self.text($0.path))" }
          ?? "  experiment: {constant: \(Self.text(experiment.id))}",
        "  variant: \(Self.text(variant.path))",
      ]
    }
    fields += wordLines
    return fields.isEmpty ? lines : lines + ["fields:"] + fields
  }

  /// Without it events with another word than the flow's id would be another flow's.
  private var ownFlowLines: [String] {
    guard !ownFlowValues.isEmpty else { return [] }
    let known = ownFlowValues.prefix(4).map { "\(Self.comment($0.text, limit: 40)) \($0.events)" }
    let rest = ownFlowValues.count > 4 ? ["\(ownFlowValues.count - 4) more"] : []
    return [
      "  # 'flow' in the events is taken for a property of the app's own: "
        + (known + rest).joined(separator: ", "),
      "  flow: {constant: \(Self.text(flowId))}",
    ]
  }

  /// Words of the systems' own for statuses of permissions and the like, in the plan's words.
  private var wordLines: [String] {
    KnownWords.all.compactMap { known in
      let seen = sample.events.filter { names.part($0.event) == known.event }
        .compactMap { $0.value("properties.\(known.field)") }
      let meanings = Set(seen).sorted().compactMap { word in
        known.meaning(of: word).map { "\(Self.text(word)): \($0)" }
      }
      guard !meanings.isEmpty else { return nil }
      return "  \(known.field): {path: properties.\(known.field), "
        + "values: {\(meanings.joined(separator: ", "))}}"
    }
  }

  /// Other events, as goals to choose from.
  private var goalLines: [String] {
    let others = eventCounts.filter { names.part($0.key) == nil && Self.isName($0.key) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(12)
    guard !others.isEmpty else { return [] }
    var lines = ["# Goals to choose from, by how often they happen:", "# goals:"]
    for (name, count) in others {
      let id = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
      lines.append(
        "#   - {id: \(String(id)), event: \(Self.quoted(name)), within: 7d}  # \(count)")
    }
    return lines
  }

  /// A name in quotes where YAML would read it as something else.
  static func quoted(_ name: String) -> String {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    return isPlain(name) && !words.contains(name.lowercased()) ? name : text(name)
  }

  /// A text in double quotes, as YAML reads it.
  static func text(_ name: String) -> String { YAMLQuoting.quoted(name) }

  /// A name in a comment: nothing in it ends the line or shows another text than it is.
  static func comment(_ name: String, limit: Int = 80) -> String {
    HiddenScalars.escaped(String(String.UnicodeScalarView(name.unicodeScalars.prefix(limit))))
  }
}
