import FlowDefinition

/// {all, version, experiment and variant} × {all, cohort, one dimension}, and the sums in each.
struct ReferenceSlices {
  typealias Cell = ReferencePerson.Cell
  typealias Share = ReferencePerson.Share

  /// The columns that say which persons a row is about.
  struct Slice: Hashable {
    var version = "all"
    var experiment = "all"
    var variant = "all"
    var cohort = "all"
    var breakdown = "all"

    var isUncut: Bool { cohort == "all" && breakdown == "all" }
    var isTimed: Bool {
      cohort == "all" && (breakdown == "all" || breakdown.hasPrefix("used_skip="))
    }
  }

  let flow: Flow
  let persons: [ReferencePerson]

  var rows: [ReferenceRow] {
    var groups: [Slice: [ReferencePerson]] = [:]
    for slice in declared { groups[slice] = [] }
    for person in persons {
      for slice in slices(of: person) { groups[slice, default: []].append(person) }
    }
    var rows = contamination
    for (slice, members) in groups {
      rows += sums(of: members, in: slice)
      if slice.isTimed { rows += timing(of: members, in: slice) }
      if slice.isUncut { rows += ways(of: members, in: slice) }
      let ofState = ["(unassigned)": "unassigned", "(outside)": "outside_experiment"]
      if slice.isUncut, let metric = ofState[slice.variant] {
        rows.append(row(slice, Cell(metric: metric, step: "all"), members.count))
      }
    }
    return rows
  }

  /// Slices that are there even when nobody is in them.
  private var declared: [Slice] {
    let versions = ([flow.newestVersion] + flow.versions.map(\.name)).compactMap(\.self)
    let variants = flow.experiments.flatMap { experiment in
      experiment.variants.map { Slice(experiment: experiment.id, variant: $0.id) }
    }
    return [Slice()] + versions.map { Slice(version: $0) } + variants
  }

  private func slices(of person: ReferencePerson) -> [Slice] {
    let first =
      [Slice(), Slice(version: person.attempt.version)]
      + person.assignments.map { Slice(experiment: $0.key, variant: $0.value.name) }
    return first.flatMap { slice in
      var byCohort = slice
      byCohort.cohort = person.cohort
      let byDimension = person.breakdowns.map { breakdown in
        var cut = slice
        cut.breakdown = breakdown
        return cut
      }
      return [slice, byCohort] + byDimension
    }
  }

  func row(
    _ slice: Slice, _ cell: Cell, _ numerator: Int, of denominator: Int? = nil
  ) -> ReferenceRow {
    ReferenceRow(
      version: slice.version, experiment: slice.experiment, variant: slice.variant,
      cohort: slice.cohort, breakdown: slice.breakdown, metric: cell.metric, step: cell.step,
      numerator: numerator, denominator: denominator)
  }

  private func sums(of members: [ReferencePerson], in slice: Slice) -> [ReferenceRow] {
    var sums = DeclaredCells(flow: flow).zeros
    for (cell, share) in members.flatMap(\.shares) {
      var sum = sums[cell] ?? Share(numerator: 0, denominatorCell: share.denominatorCell)
      sum.numerator += share.numerator
      if let denominator = share.denominator {
        sum.denominator = (sum.denominator ?? 0) + denominator
      }
      sums[cell] = sum
    }
    return sums.map { cell, sum in
      let other = sum.denominatorCell.flatMap { sums[$0] }
      let denominator = sum.denominator ?? other.map { $0.denominator ?? $0.numerator }
      return row(slice, cell, sum.numerator, of: denominator)
    }
  }

  private func timing(of members: [ReferencePerson], in slice: Slice) -> [ReferenceRow] {
    var values: [Cell: [Int64]] = [:]
    for cell in DeclaredCells(flow: flow).timed { values[cell] = [] }
    for (cell, milliseconds) in members.flatMap(\.times) {
      values[cell, default: []].append(milliseconds)
    }
    return values.flatMap { cell, values in
      let count = Cell(metric: cell.metric + "_n", step: cell.step)
      let percentiles = [50, 75, 90, 95, 99].compactMap { percent -> ReferenceRow? in
        guard let edge = StepTiming.percentile(percent, of: values) else { return nil }
        // Fewer than that share ever moved on.
        let isNever = edge == StepTiming.lowerEdge(StepTiming.largest)
        if cell.metric == "time_to_move_on", isNever { return nil }
        return row(slice, Cell(metric: "\(cell.metric)_p\(percent)", step: cell.step), Int(edge))
      }
      return [row(slice, count, values.count)] + percentiles
    }
  }

  /// Per arm, the persons with several values who have it among them, whether they are left out or
  /// the first one holds.
  private var contamination: [ReferenceRow] {
    flow.experiments.flatMap { experiment in
      let sets = persons.compactMap { person -> Set<String>? in
        switch person.assignments[experiment.id] {
        case .outside, .notExposed: return nil
        default: break
        }
        let values = Assignment.seen(experiment, attempt: person.attempt)
        return values.count > 1 ? values : nil
      }
      let seen = persons.compactMap { person -> String? in
        if case .variant(let id)? = person.assignments[experiment.id] { id } else { nil }
      }
      let arms = Set(experiment.variants.map(\.id)).union(seen).union(sets.joined())
      return arms.map { arm in
        row(
          Slice(experiment: experiment.id, variant: arm),
          Cell(metric: "contaminated", step: "all"), sets.count { $0.contains(arm) })
      }
    }
  }
}
