import RealModule

/// By which factor an estimated standard deviation is off: the square root of chi-square over its
/// degrees of freedom.
struct DeviationScale {
  /// Above 1, and not only whole numbers.
  let degrees: Double

  /// The mean of a function of the factor, by quadrature over nine standard deviations.
  func mean(of function: (Double) -> Double) -> Double {
    let centre = 1 - 1 / (4 * degrees)
    let reach = 9 / (2 * degrees).squareRoot()
    let (low, high) = (max(1e-9, centre - reach), centre + reach)
    let panels = 3
    let width = (high - low) / Double(panels)
    var (sum, weights) = (0.0, 0.0)
    for panel in 0..<panels {
      let middle = low + (Double(panel) + 0.5) * width
      for (node, weight) in GaussLegendre.points {
        let factor = middle + 0.5 * width * node
        let own = weight * density(factor)
        weights += own
        sum += own * function(factor)
      }
    }
    return weights > 0 ? sum / weights : function(1)
  }

  /// Relative to that at the top, so that nothing overflows.
  private func density(_ factor: Double) -> Double {
    let top = max(1e-9, 1 - 1 / degrees).squareRoot()
    let growth = (degrees - 1) * Double.log(factor / top)
    return Double.exp(growth - degrees / 2 * (factor * factor - top * top))
  }
}
