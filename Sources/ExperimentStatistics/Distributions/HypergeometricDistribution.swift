import RealModule

/// How many of `drawn` items, taken without putting back from two piles, come from the first.
struct HypergeometricDistribution {
  let firstPile: Double
  let secondPile: Double
  let drawn: Double

  /// Beyond this many items a double no longer holds every count.
  static let largestTotal = 4.5e15

  var total: Double { firstPile + secondPile }
  var smallest: Double { max(0, drawn - secondPile) }
  var largest: Double { min(firstPile, drawn) }
  var mean: Double { drawn * (firstPile / total) }
  var mode: Double {
    min(largest, max(smallest, ((drawn + 1) * ((firstPile + 1) / (total + 2))).rounded(.down)))
  }

  var variance: Double {
    mean * (secondPile / total) * ((total - drawn) / max(1, total - 1))
  }

  /// P(X = count), as a quotient of binomials (Loader 2000, section 5).
  func density(_ count: Double) -> Double {
    guard count >= smallest, count <= largest else { return 0 }
    let share = drawn / total
    let complement = (total - drawn) / total
    let first = BinomialDistribution.density(
      count, trials: firstPile, share: share, complement: complement)
    let second = BinomialDistribution.density(
      drawn - count, trials: secondPile, share: share, complement: complement)
    let both = BinomialDistribution.density(
      drawn, trials: total, share: share, complement: complement)
    return min(1, first * (second / both))
  }

  /// P(X <= count) and P(X > count) for a whole count.
  ///
  /// The tail on the far side of the mean is summed term by term. Where the standard deviation
  /// passes 20,000 that would take too long, and Edgeworth's expansion with its skewness term is
  /// right to about 1e-9.
  func tails(_ count: Double) -> (lower: Double, upper: Double) {
    guard count >= smallest else { return (0, 1) }
    guard count < largest else { return (1, 0) }
    if variance > 4e8 { return edgeworthTails(count) }
    if count >= mean {
      let upper = upwardSum(from: count + 1)
      return (1 - upper, upper)
    }
    // That sum seen from the second pile.
    let mirror = HypergeometricDistribution(
      firstPile: secondPile, secondPile: firstPile, drawn: drawn)
    let lower = mirror.upwardSum(from: drawn - count)
    return (lower, 1 - lower)
  }

  private func upwardSum(from start: Double) -> Double {
    var count = start
    var term = 1.0
    var sum = 0.0
    while term > 1e-17 * sum {
      sum += term
      term *=
        ((firstPile - count) * (drawn - count))
        / ((count + 1) * (secondPile - drawn + count + 1))
      count += 1
    }
    return min(1, sum * density(start))
  }

  /// Johnson, Kemp and Kotz, Univariate Discrete Distributions (2005), sections 1.2.7 and 6.3,
  /// with the half that turns a sum into an integral.
  private func edgeworthTails(_ count: Double) -> (lower: Double, upper: Double) {
    let deviation = variance.squareRoot()
    let z = (count + 0.5 - mean) / deviation
    let skewness =
      (1 - 2 * (firstPile / total)) * (1 - 2 * (drawn / total)) / deviation
    let shift = skewness / 6 * (z * z - 1) * NormalDistribution.density(z)
    return (
      min(1, max(0, NormalDistribution.cumulative(z) - shift)),
      min(1, max(0, NormalDistribution.survival(z) + shift))
    )
  }
}
