/// Cohorts that the data or the chosen period cut short: some of their dates are in neither.
enum PartialCohorts {
  static func labels(_ options: EvaluationOptions, _ calendar: CivilCalendar) -> Set<String> {
    var labels: Set<String> = []
    func label(_ day: Int) -> String { CivilCalendar.label(ofDay: day, unit: options.cohorts) }
    /// Marks the cohort of a date unless the date is its first (or last).
    func mark(_ day: Int, unlessBordersOn neighbour: Int) {
      if label(day) == label(neighbour) { labels.insert(label(day)) }
    }
    let known = options.knownFromMilliseconds
    if known > 0 {
      let day = calendar.day(of: known)
      mark(day, unlessBordersOn: day - 1)
      // A few clocks that are behind begin no cohort.
      let first = calendar.day(of: max(options.datedMilliseconds.lowerBound, 0))
      for earlier in min(first, day)..<day { labels.insert(label(earlier)) }
    }
    let last = calendar.day(of: options.horizonMilliseconds)
    mark(last, unlessBordersOn: last + 1)
    if let from = options.fromMilliseconds {
      let day = calendar.day(of: from)
      mark(day, unlessBordersOn: from > calendar.start(ofDay: day) ? day : day - 1)
    }
    if let to = options.toMilliseconds {
      let day = calendar.day(of: to - 1)
      mark(day, unlessBordersOn: to < calendar.start(ofDay: day + 1) ? day : day + 1)
    }
    return labels
  }
}
