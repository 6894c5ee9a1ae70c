/// A flow as the text of a flow file.
extension Flow {
  /// A flow file that parses to this very flow: for drafts, and to show what a file resolves to.
  ///
  /// Keys stand in the grammar's order, and only where they differ from the default. Comments are
  /// lost, as the value does not hold them.
  public var fileText: String {
    var lines = ["flow: \(YAMLWriting.text(id))"]
    if title != id { lines.append("title: \(YAMLWriting.text(title))") }
    lines += settingLines() + listLines()
    if !permissions.isEmpty { lines.append("permissions: \(YAMLWriting.list(permissions))") }
    lines += section("goals", goals.map { yaml($0) })
    lines += section("friction", friction.map { yaml($0) })
    lines += section("retention", retention.map { yaml($0) })
    if day != .hours24 { lines.append("day: \(day.rawValue)") }
    if timeZone != "UTC" { lines.append("time_zone: \(timeZone)") }
    if !notActivity.isEmpty { lines.append("not_activity: \(YAMLWriting.list(notActivity))") }
    lines += section(
      "dimensions",
      dimensions.map { dimension in
        let isUsual = dimension.path == "context.\(dimension.id)"
        return isUsual && !dimension.isKnownLater
          ? YAMLWriting.text(dimension.id)
          : YAMLWriting.mapping([
            ("id", YAMLWriting.text(dimension.id)),
            ("path", isUsual ? nil : YAMLWriting.text(dimension.path)),
            ("known", dimension.isKnownLater ? "later" : nil),
            ("within", dimension.laterWithinMilliseconds.map(DurationText.format)),
          ])
      })
    lines += section("funnels", funnels.map { yaml($0) })
    lines += section("targets", targets.map { yaml($0) })
    if statistics != StatisticsSettings() { lines.append("statistics: \(yamlStatistics())") }
    lines += mappingLines()
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ key: String, _ items: [String]) -> [String] {
    items.isEmpty ? [] : ["\(key):"] + items.map { "  - \($0)" }
  }

  private func settingLines() -> [String] {
    var lines = ["window: \(DurationText.format(windowMilliseconds))"]
    if identity != .stitched { lines.append("identity: \(identity.rawValue)") }
    if stitchWithinMilliseconds != Flow.defaultStitchWithinMilliseconds {
      lines.append("stitch_within: \(DurationText.format(stitchWithinMilliseconds))")
    }
    if let entry { lines.append("entry: \(YAMLWriting.mapping(entries(entry)))") }
    if existingUsers != (entry == nil ? .exclude : .include) {
      lines.append("existing_users: \(existingUsers.rawValue)")
    }
    if newAttemptAfterMilliseconds != Flow.defaultNewAttemptAfterMilliseconds {
      let gap = newAttemptAfterMilliseconds.map(DurationText.format) ?? "never"
      lines.append("new_attempt_after: \(gap)")
    }
    if counting != .persons { lines.append("count: \(counting.rawValue)") }
    if let history = historyMilliseconds {
      lines.append("history: \(DurationText.format(history))")
    }
    lines += section("leave_out", leaveOut.marks.map { yaml($0) })
    if !leaveOut.ids.isEmpty {
      if leaveOut.marks.isEmpty { lines.append("leave_out:") }
      lines.append("  - ids:")
      lines += leaveOut.ids.map { "      - \(YAMLWriting.text($0))" }
    }
    if case .leadsTo(let step) = skip {
      lines.append("skip: {leads_to: \(YAMLWriting.text(stepID(step)))}")
    }
    if neverSkips { lines.append("skip: never") }
    if countsFrom != 1 { lines.append("counts_from: \(countsFrom)") }
    if ignoresOtherPages { lines.append("other_pages: ignore") }
    if !guessed.isEmpty { lines.append("guessed: \(YAMLWriting.list(guessed.map(\.rawValue)))") }
    if skipsCountFrom != countsFrom { lines.append("skips_count_from: \(skipsCountFrom)") }
    return lines
  }

  private func listLines() -> [String] {
    // A step is declared where it is first listed; elsewhere its id stands for it.
    var declared = Set(defaultList)
    var lines = section("steps", defaultList.map { yamlStep($0) })
    if let newestVersion { lines.append("version: \(YAMLWriting.text(newestVersion))") }
    if !versions.isEmpty { lines.append("versions:") }
    for version in versions {
      let list = yamlList(version.steps, declared: &declared)
      let value =
        version.expectedTotalMilliseconds.map { total in
          YAMLWriting.mapping([("steps", list), ("expected_total", yaml(total))])
        } ?? list
      lines.append("  \(YAMLWriting.text(version.name)): \(value)")
    }
    if let total = expectedTotalMilliseconds { lines.append("expected_total: \(yaml(total))") }
    if !experiments.isEmpty { lines.append("experiments:") }
    for experiment in experiments {
      lines.append("  \(YAMLWriting.text(experiment.id)):")
      lines += experimentLines(experiment, declared: &declared).map { "    \($0)" }
    }
    return lines
  }

  private func experimentLines(_ experiment: Experiment, declared: inout Set<Int>) -> [String] {
    let variants = experiment.variants
    var lines =
      experiment.title == experiment.id ? [] : ["title: \(YAMLWriting.text(experiment.title))"]
    lines.append("control: \(YAMLWriting.text(experiment.controlID))")
    let titles = variants.filter { $0.title != $0.id }.map {
      (key: $0.id, value: YAMLWriting.text($0.title) as String?)
    }
    if !titles.isEmpty { lines.append("titles: \(YAMLWriting.mapping(titles))") }
    if !experiment.periods.isEmpty {
      lines.append("splits:")
      lines += experiment.periods.map { "  - \(yaml($0, variants))" }
    } else if variants.allSatisfy({ abs($0.share * Double(variants.count) - 1) < 1e-12 }) {
      lines.append("variants: \(YAMLWriting.list(variants.map(\.id)))")
    } else {
      let shares = variants.map { (key: $0.id, value: ScalarText.percentText($0.share) as String?) }
      lines.append("split: \(YAMLWriting.mapping(shares))")
    }
    var lists: [(key: String, value: String?)] = []
    for variant in variants {
      guard let steps = variant.steps else { continue }
      lists.append((variant.id, yamlList(steps, declared: &declared)))
    }
    if !lists.isEmpty { lines.append("steps: \(YAMLWriting.mapping(lists))") }
    let totals = variants.compactMap { variant in
      variant.expectedTotalMilliseconds.map { (key: variant.id, value: yaml($0) as String?) }
    }
    if !totals.isEmpty { lines.append("expected_total: \(YAMLWriting.mapping(totals))") }
    if experiment.isSequential { lines.append("sequential: true") }
    if experiment.contaminated != .first {
      lines.append("contaminated: \(experiment.contaminated.rawValue)")
    }
    if let start = experiment.startMilliseconds, experiment.periods.isEmpty {
      lines.append("start: \(UTCInstant.text(start))")
    }
    if let end = experiment.endMilliseconds { lines.append("end: \(UTCInstant.text(end))") }
    if let exposure = experiment.exposure {
      lines.append("exposure: \(YAMLWriting.mapping(entries(exposure)))")
    }
    if let plan = experiment.plan {
      lines.append("primary: \(YAMLWriting.text(planName(of: plan.primary)))")
      let margins = plan.guardrails.map { guardrail in
        (
          key: planName(of: guardrail.rate),
          value: ScalarText.percentText(guardrail.margin) as String?
        )
      }
      if !margins.isEmpty { lines.append("guardrails: \(YAMLWriting.mapping(margins))") }
    }
    if let people = experiment.plannedPeople { lines.append("planned: \(people)") }
    if let deviation = experiment.priorDeviation {
      lines.append("prior: \(ScalarText.percentText(deviation))")
    }
    if let only = experiment.stratifiedBy.first {
      let all = experiment.stratifiedBy
      lines.append("stratify: \(all.count > 1 ? YAMLWriting.list(all) : YAMLWriting.text(only))")
    }
    if let path = experiment.clusterPath { lines.append("cluster: \(YAMLWriting.text(path))") }
    return lines
  }

  private func yaml(_ total: ClosedRange<Int64>) -> String {
    let bounds = [total.lowerBound, total.upperBound].map(DurationText.format)
    return "[\(bounds.joined(separator: ", "))]"
  }

  private func yaml(_ period: SplitPeriod, _ variants: [Variant]) -> String {
    let shares = zip(variants, period.shares).map { variant, share in
      (key: variant.id, value: ScalarText.percentText(share) as String?)
    }
    return YAMLWriting.mapping([("from", UTCInstant.text(period.startMilliseconds))] + shares)
  }

  private func yamlList(_ list: [Int], declared: inout Set<Int>) -> String {
    let items = list.map { index in
      declared.insert(index).inserted ? yamlStep(index) : YAMLWriting.text(stepID(index))
    }
    return "[" + items.joined(separator: ", ") + "]"
  }

  private func yamlStep(_ index: Int) -> String {
    guard steps.indices.contains(index) else { return YAMLWriting.text(stepID(index)) }
    let step = steps[index]
    return YAMLWriting.mapping(
      names(step.id, step.title) + [
        ("expected", step.expectedMilliseconds.map(DurationText.format)),
        ("branch_of", step.branchOf.map { YAMLWriting.text(stepID($0)) }),
        ("optional", step.isOptional ? "true" : nil),
        ("asks", step.asks.isEmpty ? nil : YAMLWriting.oneOrList(step.asks)),
      ])
  }

  private func mappingLines() -> [String] {
    var lines: [String] = []
    if !eventNames.isEmpty {
      lines.append("events:")
      lines += eventNames.map { "  \(YAMLWriting.text($0.from)): \(YAMLWriting.text($0.to))" }
    }
    if !fields.isEmpty { lines.append("fields:") }
    for field in fields {
      let values = field.values.map { (key: $0.from, value: YAMLWriting.text($0.to) as String?) }
      let mapping = YAMLWriting.mapping([
        ("path", field.path.map(YAMLWriting.text)),
        ("constant", field.constant.map(YAMLWriting.text)),
        ("time_zone", field.timeZone.map(YAMLWriting.text)),
        ("date_order", field.dateOrder?.rawValue),
        ("values", values.isEmpty ? nil : YAMLWriting.mapping(values)),
      ])
      lines.append("  \(YAMLWriting.text(field.field)): \(mapping)")
    }
    if !redactedPaths.isEmpty { lines.append("redact: \(YAMLWriting.list(redactedPaths))") }
    return lines
  }
}
