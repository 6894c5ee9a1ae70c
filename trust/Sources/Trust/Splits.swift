import ExperimentStatistics

/// Splits that are as declared and are called a mismatch all the same.
enum Splits {
  private static let bound = 0.001

  static let once = Section(
    title: "Splits that are called a mismatch although they are as declared",
    method: """
      People fall on the variants with the declared shares; a mismatch is called below p = 0.001. \
      Small groups have the exact test. "Chi-square" is what its limit gives on the same people.
      """,
    otherHeading: "chi-square",
    settings: [
      (50, [0.9, 0.1]), (200, [0.98, 0.02]), (400, [0.5, 0.5]), (60, [0.6, 0.2, 0.2]),
      (5_000, [0.9, 0.1]),
    ]
  ) { row(people: $0.0, shares: $0.1) }

  private static func row(people: Int, shares: [Double]) -> Row {
    let runs = 40_000
    var draws = Draws(seed: UInt64(people))
    var (called, limit) = (0, 0)
    for _ in 0..<runs {
      let counts = draw(people, shares, &draws)
      let test = SampleRatio.check(periods: [counts], expectedShares: [shares])
      if let p = test.value?.pValue, p < bound { called += 1 }
      let plain = SampleRatio.test(observed: counts, expectedShares: shares)
      if let p = plain.value?.pValue, p < bound { limit += 1 }
    }
    return Row(
      "\(people) people, \(name(shares))", .atMost(bound), runs: runs, count: called,
      other: Double(limit) / Double(runs))
  }

  static let watched = Section(
    title: "Splits that are watched every day",
    method: """
      Sixty days of people who fall on the variants as declared; found is how often the \
      always-valid test calls a mismatch (p < 0.001) on any of them. "Read once" is how often the \
      test for a single look does so.
      """,
    otherHeading: "read once",
    settings: [(20, [0.5, 0.5]), (200, [0.9, 0.1]), (200, [0.4, 0.3, 0.3])]
  ) { watch(perDay: $0.0, shares: $0.1) }

  private static func watch(perDay: Int, shares: [Double]) -> Row {
    let runs = 5_000
    var draws = Draws(seed: UInt64(perDay + shares.count))
    var (called, once) = (0, 0)
    for _ in 0..<runs {
      var counts = shares.map { _ in 0 }
      var (isCalled, isOnce) = (false, false)
      for _ in 0..<60 {
        counts = zip(counts, draw(perDay, shares, &draws)).map { $0 + $1 }
        let always = SampleRatio.checkSequentially(periods: [counts], expectedShares: [shares])
        if let p = always.value?.pValue, p < bound { isCalled = true }
        let plain = SampleRatio.test(observed: counts, expectedShares: shares)
        if let p = plain.value?.pValue, p < bound { isOnce = true }
      }
      if isCalled { called += 1 }
      if isOnce { once += 1 }
    }
    return Row(
      "\(perDay) people a day, \(name(shares))", .atMost(bound), runs: runs, count: called,
      other: Double(once) / Double(runs))
  }

  private static func draw(_ people: Int, _ shares: [Double], _ draws: inout Draws) -> [Int] {
    var (left, rest) = (people, 1.0)
    return shares.enumerated().map { place, share in
      let count = place == shares.count - 1 ? left : draws.binomial(left, share / rest)
      left -= count
      rest -= share
      return count
    }
  }

  private static func name(_ shares: [Double]) -> String {
    shares.map { "\(Int(($0 * 100).rounded()))" }.joined(separator: "/")
  }
}
