/// Moments of whole numbers, from their sums.
enum WholeSums {
  /// The sample covariance of two numbers of each person, with n − 1; 0 for fewer than two people.
  ///
  /// n Σxy − Σx Σy is exact as long as it fits into 128 bits.
  static func covariance(
    of persons: Int, products: Int128, _ first: Int128, _ second: Int128
  ) -> Double {
    guard persons > 1 else { return 0 }
    let n = Double(persons)
    let (left, over) = Int128(persons).multipliedReportingOverflow(by: products)
    let (right, overflow) = first.multipliedReportingOverflow(by: second)
    let spread =
      over || overflow
      ? n * Double(products) - Double(first) * Double(second) : Double(left - right)
    return spread / (n * (n - 1))
  }
}
