internal import FlowDefinition
internal import Timelines

/// The values of strata as text; each name is made once and not for every stratum that has it.
struct StratumLabels {
  struct Label {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) {
      self.text = text
      bytes = Array(text.utf8)
    }
  }

  private let compiled: CompiledFlow
  private let dimensions: [Int]
  /// By dimension and code, for the first codes, which nearly all strata have.
  private var namesOfSmallCodes: [[Label?]]
  private var names: [[UInt32: Label]]
  private var weeks: [Int: Label] = [:]

  private static let smallCodes = 4096

  init(_ compiled: CompiledFlow) {
    self.compiled = compiled
    dimensions = compiled.flow.dimensionsAtEntry
    names = Array(repeating: [:], count: compiled.dimensionPlaces.count)
    namesOfSmallCodes = Array(repeating: [], count: compiled.dimensionPlaces.count)
  }

  /// Calls `body` with a stratum's values of dimensions known at entry, in the flow's order, and
  /// its week.
  ///
  /// - Parameter index: the stratum's number in the recorder.
  mutating func forEach(
    _ stratum: StratumRecorder.Stratum, _ index: Int, _ strata: StratumRecorder,
    _ body: (Label) -> Void
  ) {
    for place in dimensions.indices {
      body(label(dimensions[place], strata.value(place, index)))
    }
    if let known = weeks[stratum.week] { return body(known) }
    let own = Label(CivilCalendar.label(ofDay: stratum.week, unit: .week))
    weeks[stratum.week] = own
    body(own)
  }

  private mutating func label(_ dimension: Int, _ code: UInt32) -> Label {
    let isSmall = code < UInt32(StratumLabels.smallCodes)
    if isSmall, Int(code) < namesOfSmallCodes[dimension].count {
      if let known = namesOfSmallCodes[dimension][Int(code)] { return known }
    } else if let known = names[dimension][code] {
      return known
    }
    let own = Label(
      compiled.tables.name(ofContextValue: code, at: compiled.dimensionPlaces[dimension]))
    if isSmall {
      while namesOfSmallCodes[dimension].count <= Int(code) {
        namesOfSmallCodes[dimension].append(nil)
      }
      namesOfSmallCodes[dimension][Int(code)] = own
    } else {
      names[dimension][code] = own
    }
    return own
  }
}
