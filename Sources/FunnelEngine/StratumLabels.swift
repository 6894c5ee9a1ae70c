/// The values of strata as text; each name is made once and not for every stratum that has it.
struct StratumLabels {
  /// By dimension and code.
  private var names: [[UInt32: String]]
  private var weeks: [Int: String] = [:]

  init(dimensions: Int) {
    names = Array(repeating: [:], count: dimensions)
  }

  /// A stratum's dimension values in the flow's order and its week.
  mutating func write(
    _ stratum: StratumRecorder.Stratum, into values: inout [String],
    name: (_ dimension: Int, _ code: UInt32) -> String
  ) {
    values.removeAll(keepingCapacity: true)
    for (dimension, code) in stratum.dimensions.enumerated() {
      if let known = names[dimension][code] {
        values.append(known)
      } else {
        let own = name(dimension, code)
        names[dimension][code] = own
        values.append(own)
      }
    }
    if let known = weeks[stratum.week] {
      values.append(known)
    } else {
      let own = CivilCalendar.label(ofDay: stratum.week, unit: .week)
      weeks[stratum.week] = own
      values.append(own)
    }
  }
}
