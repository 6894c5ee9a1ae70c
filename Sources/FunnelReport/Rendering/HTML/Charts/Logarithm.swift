internal import RealModule

/// The natural logarithm, the same on every platform that the numerics library knows.
enum Logarithm {
  static func natural(_ value: Double) -> Double { value > 0 ? .log(value) : 0 }
}
