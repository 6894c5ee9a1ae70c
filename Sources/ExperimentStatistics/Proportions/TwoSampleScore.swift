/// A z statistic of two groups' proportions, as a function of their supposed difference or ratio.
///
/// Both fall as what is supposed rises, are 0 at the estimate, and are one number at "equal", so
/// that the intervals found by inverting them agree with each other and with the test.
protocol TwoSampleScore: Sendable {
  /// The treatment's proportion minus the control's.
  var difference: Double { get }
  var treatmentRate: Double { get }
  /// Above zero wherever a ratio is asked for.
  var controlRate: Double { get }
  /// The counts of all strata together, to start searches at.
  var pooled: ScoreStatistic { get }
  /// z at no difference, or nil where everything succeeded or everything failed.
  var atEquality: Double? { get }
  /// z at a supposed difference between -1 and 1.
  func at(difference supposed: Double) -> Double
  /// z at a supposed ratio above zero; the control must have successes.
  func at(ratio supposed: Double) -> Double
}
