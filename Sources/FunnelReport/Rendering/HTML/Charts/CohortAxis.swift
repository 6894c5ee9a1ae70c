internal import FunnelMetrics
internal import ReportText

/// The days, weeks or months in which people began, side by side at equal distances. One in which
/// nobody began has its room all the same: time doesn't stand still meanwhile.
struct CohortAxis {
  /// The middle of each cohort's days: how many days, weeks or months after the first.
  let places: [Double]
  /// A cohort's dot stands in the middle of its days, its label on its first day.
  let scale: ChartScale

  /// - Parameter cohorts: in the order of time.
  init(_ cohorts: [Slice]) {
    let dates = cohorts.map { CohortDates($0.cohort) }
    let places = CohortAxis.places(dates)
    self.places = places
    let last = places.last ?? 0
    // At most six labels, of which every other one is left out on narrow screens.
    let stride = Double(max(1, (Int(last) + 6) / 6))
    var ticks: [ChartScale.Tick] = []
    var next = 0.0
    for (index, place) in places.enumerated() where place >= next {
      // Of a cohort of one day the label stands below its dot.
      let isDay = dates[index].map { $0.first == $0.last } ?? true
      ticks.append(
        ChartScale.Tick(
          value: place - (isDay ? 0 : 0.5),
          label: dates[index].map { DateText.dayAndMonth($0.first) } ?? cohorts[index].cohort,
          isMinor: ticks.count % 2 == 1))
      next = place + stride
    }
    scale = ChartScale(low: -0.5, high: last + 0.5, ticks: ticks)
  }

  private static func places(_ dates: [CohortDates?]) -> [Double] {
    let known = dates.compactMap(\.self)
    guard known.count == dates.count, let first = known.first else {
      return dates.indices.map(Double.init)
    }
    let days = first.last - first.first + 1
    // Months are unlike, but never by so much that their number were another one.
    let length = days == 1 || days == 7 ? Double(days) : 30.436875
    return known.map { (Double($0.first - first.first) / length).rounded() }
  }
}
