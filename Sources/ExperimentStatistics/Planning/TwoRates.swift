/// Two supposed rates and the sizes of their samples, with the spread that their difference has.
struct TwoRates {
  let treatment: Double
  let control: Double
  let treatmentTrials: Double
  let controlTrials: Double

  /// The standard deviation of the difference.
  var deviation: Double {
    (treatment * (1 - treatment) / treatmentTrials + control * (1 - control) / controlTrials)
      .squareRoot()
  }

  /// The standard deviation that the difference would have if both rates were their pooled one.
  var deviationIfEqual: Double {
    let total = treatmentTrials + controlTrials
    let pooled =
      treatment * (treatmentTrials / total) + control * (controlTrials / total)
    return (max(0, pooled * (1 - pooled)) * (1 / treatmentTrials + 1 / controlTrials))
      .squareRoot()
  }

  /// The chance that the treatment's rate is found below the control's by more than a margin, and
  /// by more than the one-sided test asks for.
  func chanceToFail(margin: Double, alpha: Double) -> Double {
    let border = max(margin, -NormalDistribution.quantile(alpha) * deviationIfEqual)
    guard deviation > 0 else { return control - treatment > border ? 1 : 0 }
    return NormalDistribution.cumulative((control - treatment - border) / deviation)
  }

  /// The chance that the difference lies beyond the critical value.
  func chanceToShow(critical: Double, sides: Power.Sides) -> Double {
    let distance = abs(treatment - control)
    let border = critical * deviationIfEqual
    guard deviation > 0 else { return distance > border ? 1 : 0 }
    let near = NormalDistribution.cumulative((distance - border) / deviation)
    let far = NormalDistribution.cumulative((-distance - border) / deviation)
    return min(1, sides == .two ? near + far : near)
  }
}
