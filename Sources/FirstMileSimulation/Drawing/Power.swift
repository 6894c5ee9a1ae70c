import Foundation

/// x to the power y, apart so that only one file of the world needs the mathematics library.
enum Power {
  static func of(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
