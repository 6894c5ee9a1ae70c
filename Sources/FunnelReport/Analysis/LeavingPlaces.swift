internal import FlowDefinition
internal import FunnelEngine
internal import RealModule

/// Where those who did not finish left, and whether one place stands out.
struct LeavingPlaces {
  struct Place {
    /// A step's id, or `(entry)`.
    var step: String
    var count: Int
    /// Of those who saw it, who left there.
    var datum: Datum
  }

  /// Everybody who did not finish.
  let gone: Int
  /// Places where somebody left, the most first; equals in the order of the flow.
  let places: [Place]
  /// Fewer leavers than this say nothing about where people leave.
  static let fewest = 20

  init(_ analysis: Analysis) {
    let layout = analysis.slices.layout
    gone =
      analysis.slices.count(.all, layout[.skipped])
      + analysis.slices.count(.all, layout[.abandoned])
    let steps =
      ["(entry)"] + StepPlaces(.all, analysis.flow).order.map { analysis.flow.steps[$0].id }
    let found = steps.compactMap { step -> Place? in
      guard let datum = analysis.datum("step_drop_off", step: step),
        let count = datum.row.numerator,
        count > 0
      else { return nil }
      return Place(step: step, count: count, datum: datum)
    }
    places = found.enumerated().sorted { left, right in
      left.element.count != right.element.count
        ? left.element.count > right.element.count : left.offset < right.offset
    }.map(\.element)
  }

  /// The places that the largest can't be told from: two counts a and b of one multinomial sample
  /// differ at 95 % where (a − b)² > 1.96² (a + b − (a − b)² / n), the Wald interval of the
  /// difference of two shares of one sample.
  var leaders: [Place] {
    guard let first = places.first else { return [] }
    return places.filter { place in
      let difference = Double(first.count - place.count)
      let square = difference * difference
      let variance = Double(first.count + place.count) - square / Double(max(1, gone))
      return square <= 1.96 * 1.96 * variance
    }
  }
}
