/// The fingerprint of the choices that change numbers.
extension Flow {
  /// The version of the counting rules themselves. It goes up when the same facts under the same
  /// flow file give other numbers than before.
  public static let semanticsVersion = 4

  /// The resolved definitions that change numbers, as JSON with sorted keys: the same text for
  /// every flow file that means the same, whatever its titles, comments and layout.
  public func canonicalJSON() -> String {
    var parts = canonicalBasis()
    parts["steps"] = .array(steps.map { canonicalStep($0) })
    parts["permissions"] = .texts(permissions)
    parts["experiments"] = .array(experiments.map { canonical($0) })
    parts["goals"] = .set(goals.indices.map { canonicalGoal($0, depth: goals.count) })
    parts["friction"] = .set(friction.map { canonical($0) })
    parts["retention"] = .set(retention.map { canonical($0) })
    parts["day"] = .text(day.rawValue)
    parts["not_activity"] = .textSet(notActivity)
    parts["dimensions"] = canonicalDimensions()
    parts["funnels"] = .set(funnels.map { canonical($0) })
    parts["statistics"] = canonicalStatistics()
    return CanonicalValue.object(parts).json
  }

  /// SHA-256 of `canonicalJSON()`, which holds the semantics version, in hexadecimal.
  public var fingerprint: String { SHA256Digest.hexadecimal(canonicalJSON()) }

  /// The fingerprint of what one metric depends on, so that adding a goal leaves the baselines of
  /// every other metric alone.
  ///
  /// - Parameters:
  ///   - id: A metric's name as in `metrics.csv`, also a derived one such as `lift_M`. A name that
  ///     is none depends on the whole flow.
  ///   - step: What stands in the row's `step` column: a step, permission, goal (also
  ///     `goal:value`), friction, or `funnel:number`; else empty.
  public func fingerprint(ofMetric id: MetricName, step: String) -> String {
    var fingerprints = MetricFingerprints(self)
    return fingerprints.fingerprint(of: id, step: step)
  }

  /// What every metric depends on: which facts count, whose they are, where an attempt begins and
  /// ends, which lists there are, and the zone that cohorts are cut by.
  func canonicalBasis() -> [String: CanonicalValue] {
    var parts: [String: CanonicalValue] = [
      "semantics_version": .integer(Int64(Self.semanticsVersion)),
      "flow": .text(id), "window_ms": .integer(windowMilliseconds),
      "identity": .text(identity.rawValue), "existing_users": .text(existingUsers.rawValue),
      "new_attempt_after_ms": newAttemptAfterMilliseconds.map { .integer($0) } ?? .text("never"),
      "count": .text(counting.rawValue),
      "counts_from": .integer(Int64(countsFrom)), "time_zone": .text(timeZone),
      // Their order breaks ties, and says what a page number means.
      "step_order": .texts(steps.map(\.id)), "list": canonicalList(defaultList),
      "versions": .set(
        versions.map { version in
          .object(["name": .text(version.name), "steps": canonicalList(version.steps)])
        }),
      "variant_lists": canonicalVariantLists(),
      "events": .set(eventNames.map { canonical($0) }),
      "fields": .set(fields.map { canonical($0) }),
    ]
    switch skip {
    case .ends: parts["skip"] = .text("ends")
    case .leadsTo(let step): parts["skip"] = .object(["leads_to": .text(stepID(step))])
    }
    if skipsCountFrom != countsFrom { parts["skips_count_from"] = .integer(Int64(skipsCountFrom)) }
    if let entry { parts["entry"] = canonical(entry) }
    if let newestVersion { parts["version"] = .text(newestVersion) }
    if let historyMilliseconds { parts["history_ms"] = .integer(historyMilliseconds) }
    if !leaveOut.isEmpty { parts["leave_out"] = canonical(leaveOut) }
    if identity == .stitched { parts["stitch_within_ms"] = .integer(stitchWithinMilliseconds) }
    // They decide who was there before.
    if existingUsers == .exclude { parts["not_activity"] = .textSet(notActivity) }
    // An experiment that only splits, with the default rule, changes no row that was there
    // before; the other rule changes the rows of its variants.
    let excluding = experiments.filter { $0.contaminated == .exclude }.map(\.id)
    if !excluding.isEmpty { parts["contaminated_excluded"] = .textSet(excluding) }
    // So do dates and exposure.
    let limited = experiments.filter {
      $0.startMilliseconds != nil || $0.endMilliseconds != nil || $0.exposure != nil
    }
    if !limited.isEmpty { parts["experiments_limited"] = .set(limited.map { canonical($0) }) }
    return parts
  }

  /// In the order of the experiments: the first whose variant has a list decides.
  private func canonicalVariantLists() -> CanonicalValue {
    .array(
      experiments.flatMap { experiment in
        experiment.variants.compactMap { variant in
          variant.steps.map { steps in
            .object([
              "experiment": .text(experiment.id), "variant": .text(variant.id),
              "steps": canonicalList(steps),
            ])
          }
        }
      })
  }

  func canonicalDimensions() -> CanonicalValue {
    .set(
      dimensions.map { dimension in
        .object(present: [
          "id": .text(dimension.id), "path": .text(dimension.path),
          "known": dimension.isKnownLater ? .text("later") : nil,
          "within_ms": dimension.laterWithinMilliseconds.map { .integer($0) },
        ])
      })
  }

  func canonicalStep(_ step: Step) -> CanonicalValue {
    .object(present: [
      "id": .text(step.id), "branch_of": step.branchOf.map { .text(stepID($0)) },
      "optional": .boolean(step.isOptional), "asks": canonicalAsks(step),
    ])
  }

  /// A single permission as it always was, so that its flow keeps its fingerprint.
  private func canonicalAsks(_ step: Step) -> CanonicalValue? {
    if step.asks.count == 1 { return .text(step.asks[0]) }
    return step.asks.isEmpty ? nil : .textSet(step.asks)
  }

  private func canonical(_ mapping: NameMapping) -> CanonicalValue {
    .object(["from": .text(mapping.from), "to": .text(mapping.to)])
  }

  private func canonical(_ field: FieldMapping) -> CanonicalValue {
    .object(present: [
      "field": .text(field.field), "path": field.path.map { .text($0) },
      "constant": field.constant.map { .text($0) },
      "time_zone": field.timeZone.map { .text($0) },
      "date_order": field.dateOrder.map { .text($0.rawValue) },
      "values": field.values.isEmpty ? nil : .set(field.values.map { canonical($0) }),
    ])
  }
}
