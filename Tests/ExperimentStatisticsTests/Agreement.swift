import Testing

/// Whether two numbers agree to 1e-9: of their size, or absolutely where they are under 1.
func agrees(_ actual: Double?, _ expected: Double?, within tolerance: Double = 1e-9) -> Bool {
  switch (actual, expected) {
  case (nil, nil): true
  case (let actual?, let expected?): abs(actual - expected) <= tolerance * max(1, abs(expected))
  default: false
  }
}

/// Whether two numbers agree in their relative size, also where they are tiny.
func agreesRelatively(
  _ actual: Double?, _ expected: Double?, within tolerance: Double = 1e-9
) -> Bool {
  guard let actual, let expected else { return actual == nil && expected == nil }
  return abs(actual - expected) <= tolerance * abs(expected) + 1e-300
}
