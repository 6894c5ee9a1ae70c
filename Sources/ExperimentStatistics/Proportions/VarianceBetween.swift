/// How much the true rates of samples differ within groups, such as days of a weekday or weeks of a
/// side, beyond the luck of the draw: by the moments of DerSimonian and Laird ("Meta-analysis in
/// clinical trials", Controlled Clinical Trials 7, 1986, equation 8), with q = p (1 - p) of all:
///
///     Q = sum n (x/n - p(group))^2 / q              expected without effects: samples - groups
///     variance = max(0, Q - (samples - groups)) q / (N - sum over groups of (sum n^2 / N(group)))
///
/// Where samples differ in size, the few large ones decide, and the estimate scatters as one from
/// fewer samples does. Its degrees of freedom are those of the scaled chi-squared variable with the
/// mean and the variance that Q has where the samples' true rates scatter alike (Satterthwaite, "An
/// approximate distribution of estimates of variance components", Biometrics Bulletin 2, 1946):
///
///     (tr A)^2 / tr(A^2),   A = diag(n) - n n' / N   within a group
///     tr(A^2) = sum over groups of (sum n^2 - 2 sum n^3 / N(group) + (sum n^2 / N(group))^2)
///
/// to the nearest whole number; samples minus groups where all samples have one size.
struct VarianceBetween {
  /// Of the true rate.
  let variance: Double
  /// What the draw alone gives the rate of a sample of the usual size.
  let draw: Double
  /// Samples minus groups.
  let samplesLessGroups: Int
  /// Of ``variance``; ``samplesLessGroups``, or fewer where samples differ in size.
  let degreesOfFreedom: Int

  /// - Parameter groups: in an order that is the same everywhere, so that sums have the same last
  ///   digits; samples without trials say nothing.
  init(_ groups: [[Proportion]]) {
    let groups = groups.map { $0.filter { $0.trials > 0 } }.filter { !$0.isEmpty }
    let sums = groups.map { Proportion.sum($0) }
    let whole = Proportion.sum(sums)
    let rate = whole.estimate ?? 0
    let spread = rate * (1 - rate)
    samplesLessGroups = groups.reduce(0) { $0 + $1.count } - groups.count
    var (squares, scale, scatter) = (0.0, 0.0, 0.0)
    for (group, sum) in zip(groups, sums) {
      for sample in group {
        let distance = (sample.estimate ?? 0) - (sum.estimate ?? 0)
        squares += Double(sample.trials) * distance * distance
      }
      let traces = Self.traces(group.map { Double($0.trials) })
      scale += traces.ofOnce
      scatter += traces.ofSquare
    }
    guard spread > 0, scale > 0 else {
      (variance, draw, degreesOfFreedom) = (0, 0, samplesLessGroups)
      return
    }
    degreesOfFreedom = max(1, Int((scale * scale / scatter).rounded()))
    let free = Double(samplesLessGroups) * spread
    (variance, draw) = (max(0, squares - free) / scale, free / scale)
  }

  /// Of A and of its square, for a group's samples of these sizes.
  private static func traces(_ sizes: [Double]) -> (ofOnce: Double, ofSquare: Double) {
    let total = sizes.reduce(0, +)
    let squares = sizes.reduce(0) { $0 + $1 * $1 } / total
    let cubes = sizes.reduce(0) { $0 + $1 * $1 * $1 } / total
    return (total - squares, squares * total - 2 * cubes + squares * squares)
  }
}
