/// How much the true rates of samples differ within groups, such as days of a weekday or weeks of a
/// side, beyond the luck of the draw: by the moments of DerSimonian and Laird ("Meta-analysis in
/// clinical trials", Controlled Clinical Trials 7, 1986, equation 8), with q = p (1 - p) of all:
///
///     Q = sum n (x/n - p(group))^2 / q              expected without effects: samples - groups
///     variance = max(0, Q - (samples - groups)) q / (N - sum over groups of (sum n^2 / N(group)))
struct VarianceBetween {
  /// Of the true rate.
  let variance: Double
  /// What the draw alone gives the rate of a sample of the usual size.
  let draw: Double
  /// Samples minus groups.
  let degreesOfFreedom: Int

  /// - Parameter groups: in an order that is the same everywhere, so that sums have the same last
  ///   digits; samples without trials say nothing.
  init(_ groups: [[Proportion]]) {
    let groups = groups.map { $0.filter { $0.trials > 0 } }.filter { !$0.isEmpty }
    let sums = groups.map { Proportion.sum($0) }
    let whole = Proportion.sum(sums)
    let rate = whole.estimate ?? 0
    let spread = rate * (1 - rate)
    degreesOfFreedom = groups.reduce(0) { $0 + $1.count } - groups.count
    var (squares, scale) = (0.0, Double(whole.trials))
    for (group, sum) in zip(groups, sums) {
      for sample in group {
        let distance = (sample.estimate ?? 0) - (sum.estimate ?? 0)
        squares += Double(sample.trials) * distance * distance
      }
      scale -= group.reduce(0) { $0 + Double($1.trials) * Double($1.trials) } / Double(sum.trials)
    }
    guard spread > 0, scale > 0 else {
      (variance, draw) = (0, 0)
      return
    }
    let free = Double(degreesOfFreedom) * spread
    (variance, draw) = (max(0, squares - free) / scale, free / scale)
  }
}
