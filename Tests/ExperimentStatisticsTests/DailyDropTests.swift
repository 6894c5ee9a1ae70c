import Foundation
import Testing

@testable import ExperimentStatistics

/// A night's rate held against some weeks of days that differ from each other.
@Suite struct DailyDropTests {
  /// Days whose rate varies: weekends have another one, and each day has an effect of its own,
  /// normal on the scale of log odds.
  private struct World {
    var perDay: Int
    var rate = 0.6
    var deviation = 0.0
    var weekend = 0.0
    /// Of a day's effect and that of the day before.
    var correlation = 0.0
    /// How many times the people come in every fourth week.
    var surge = 1
    var random: SplitMix64
    var effect: Double?

    mutating func day(_ day: Int, drop: Double = 0) -> DayCounts {
      let weekday = day % 7
      // On Thursday, 1 January 1970, day 0: Saturdays are 2 and Sundays 3.
      let fresh = normal()
      let rest = (1 - correlation * correlation).squareRoot()
      let effect = self.effect.map { correlation * $0 + rest * fresh } ?? fresh
      self.effect = effect
      var odds = log(rate / (1 - rate)) + deviation * effect
      if weekday == 2 || weekday == 3 { odds += weekend }
      // As many more come at weekends.
      let usual = weekday == 2 || weekday == 3 ? perDay * 3 / 2 : perDay
      let trials = day / 7 % 4 == 0 ? usual * surge : usual
      let own = 1 / (1 + exp(-odds)) - drop
      let drawn = Double(trials) * own + (Double(trials) * own * (1 - own)).squareRoot() * normal()
      return DayCounts(
        day: day, counts: Proportion(successes: Int(drawn.rounded()), trials: trials))
    }

    private mutating func normal() -> Double {
      let (first, second) = (uniform(), uniform())
      return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    }

    private mutating func uniform() -> Double {
      (Double(random.next() >> 11) + 0.5) / Double(1 << 53)
    }
  }

  /// How often a night fails, tested by days and by all days' counts together, and how often the
  /// plan says it does.
  private func nights(
    _ world: World, days: Int, gap: Int = 0, nights: Int, runs: Int, alpha: Double = 0.05,
    drop: Double = 0
  ) -> (daily: Double, plain: Double, told: Double) {
    var world = world
    var (daily, plain, told) = (0, 0, 0.0)
    for run in 0..<runs {
      let first = run % 7
      world.effect = nil
      let reference = (0..<days).map { world.day(first + $0) }
      for day in 0..<gap { _ = world.day(first + days + day) }
      let current = (0..<nights).map { world.day(first + days + gap + $0, drop: drop) }
      let test = DailyDrop(current: current, reference: reference, margin: 0)
      if let p = test?.p, p < alpha { daily += 1 }
      if run % 10 == 0 { told += 10 * (test?.chanceToFail(drop: drop, alpha: alpha) ?? 0) }
      let sum = RateDrop(
        current: .sum(current.map(\.counts)), reference: .sum(reference.map(\.counts)), margin: 0)
      if let p = sum.p, p < alpha { plain += 1 }
    }
    let all = Double(runs)
    return (Double(daily) / all, Double(plain) / all, told / all)
  }

  @Test(arguments: [200, 2_000, 10_000], [0, 0.05, 0.1, 0.2])
  func `healthy nights fail as often as promised however much days differ`(
    perDay: Int, deviation: Double
  ) {
    let runs = 1_500
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    for (days, nights) in [(14, 1), (28, 1), (28, 7), (56, 1)] {
      for weekend in [0, -0.15] {
        let world = World(
          perDay: perDay, deviation: deviation, weekend: weekend,
          random: SplitMix64(seed: UInt64(perDay + days)))
        let found = self.nights(world, days: days, nights: nights, runs: runs)
        print(
          "\(perDay) a day, sd \(deviation), weekend \(weekend), \(nights) after \(days) days:",
          "by days \(found.daily), plain \(found.plain)")
        #expect(found.daily <= limit, "\(days) days, \(nights) nights, weekend \(weekend)")
      }
    }
  }

  /// A campaign brings twenty times the people for a week. By days minus weekdays up to 7 % of
  /// nights fail: the estimate is that of the campaign's few days.
  @Test(arguments: [200, 2_000], [0.1, 0.2])
  func `healthy nights fail as often as promised where days differ in size`(
    perDay: Int, deviation: Double
  ) {
    let runs = 3_000
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    for (days, nights) in [(14, 1), (28, 1), (28, 7)] {
      let world = World(
        perDay: perDay, deviation: deviation, surge: 20, random: SplitMix64(seed: UInt64(days)))
      let found = self.nights(world, days: days, nights: nights, runs: runs)
      print("\(perDay) a day, sd \(deviation), \(nights) after \(days) days: \(found.daily)")
      #expect(found.daily <= limit, "\(days) days, \(nights) nights")
    }
  }

  /// Bad weather, campaigns and seasons last. Taken as independent days, a week fails in 10 to 24 %
  /// of these worlds.
  @Test(arguments: [500, 2_000], [0.3, 0.6, 0.8])
  func `healthy weeks fail about as often as promised where days resemble their neighbours`(
    perDay: Int, correlation: Double
  ) {
    let runs = 1_500
    let limit = 0.10 + 3 * (0.10 * 0.90 / Double(runs)).squareRoot()
    for (days, nights) in [(28, 1), (28, 7), (56, 7)] {
      let world = World(
        perDay: perDay, deviation: 0.1, weekend: -0.15, correlation: correlation,
        random: SplitMix64(seed: UInt64(perDay + days)))
      let found = self.nights(world, days: days, gap: 14, nights: nights, runs: runs)
      print("\(perDay) a day, correlation \(correlation), \(nights) after \(days): \(found.daily)")
      #expect(found.daily <= limit, "\(days) days, \(nights) nights")
    }
  }

  @Test(arguments: [(0.0, 0.02), (0.1, 0.05), (0.2, 0.1)])
  func `a night fails as often as the plan says`(deviation: Double, drop: Double) {
    let world = World(perDay: 2_000, deviation: deviation, random: SplitMix64(seed: 8))
    let found = nights(world, days: 28, nights: 1, runs: 2_000, drop: drop)
    print("sd \(deviation), drop \(drop): told \(found.told), found \(found.daily)")
    #expect(abs(found.told - found.daily) < 0.04)
    #expect(found.daily > 0.4)
  }

  /// tau^2 of statsmodels' `combine_effects(x / n, p q / n, method_re="dl")`, p of all together.
  @Test func `the variance between days is DerSimonian and Laird's`() throws {
    let counts = [
      (612, 1000), (588, 1000), (640, 1010), (571, 980), (655, 1030), (603, 990), (590, 1000),
      (1210, 2000), (620, 1000), (566, 950), (640, 1000), (598, 1000), (615, 1020), (701, 1100),
    ]
    let days = counts.enumerated().map { week, count in
      DayCounts(day: 7 * week, counts: Proportion(successes: count.0, trials: count.1))
    }
    let found = try #require(DailyVariation(reference: days, current: [days[0]]))
    #expect(found.isByWeekday && found.degreesOfFreedom == 12)
    #expect(abs(found.variance / 0.000146084845191 - 1) < 1e-9)
  }

  @Test func `weekdays are compared with the same weekdays`() throws {
    // 60 % from Monday to Friday, 50 % at weekends, on every one of four weeks.
    func day(_ day: Int) -> DayCounts {
      let isWeekend = day % 7 == 2 || day % 7 == 3
      return DayCounts(
        day: day, counts: Proportion(successes: isWeekend ? 500 : 600, trials: 1_000))
    }
    let reference = (0..<28).map(day)
    for current in 28..<35 {
      let test = try #require(DailyDrop(current: [day(current)], reference: reference, margin: 0))
      #expect(test.variation.isByWeekday && test.p == 0.5 && test.deviationOfDays == 0)
      #expect(test.reference.rate == day(current).counts.estimate)
    }
    // A weekday that the reference has once is compared with all days.
    let short = try #require(
      DailyDrop(current: [day(16)], reference: (0..<15).map { day($0 == 9 ? 11 : $0) }, margin: 0))
    #expect(!short.variation.isByWeekday && short.variation.independentDegrees == 14)
    #expect(DailyDrop(current: [day(28)], reference: (0..<13).map(day), margin: 0) == nil)
  }

  /// Few people and a rare rate: half a person more would be half of a point.
  @Test func `the rate on the same weekdays is not of whole people`() throws {
    var random = SplitMix64(seed: 21)
    func day(_ day: Int) -> DayCounts {
      let trials = Int.random(in: 4...12, using: &random)
      return DayCounts(
        day: day,
        counts: Proportion(successes: Int.random(in: 0...1, using: &random), trials: trials))
    }
    let reference = (0..<28).map(day)
    let current = (28..<31).map(day)
    let people = current.reduce(0) { $0 + $1.trials }
    let expected = current.reduce(0.0) { sum, day in
      let same = Proportion.sum(reference.filter { $0.day % 7 == day.day % 7 }.map(\.counts))
      return sum + day.trials / people * Double(same.successes) / Double(same.trials)
    }
    let test = try #require(DailyDrop(current: current, reference: reference, margin: 0.01))
    let seen = try #require(Proportion.sum(current.map(\.counts)).estimate)
    let found = try #require(test.difference(level: 0.9).value)
    #expect(test.variation.isByWeekday)
    #expect(abs(test.reference.rate - expected) < 1e-12)
    #expect(abs(found.estimate - (seen - expected)) < 1e-12)
  }

  @Test func `interval and test agree`() throws {
    var world = World(perDay: 400, deviation: 0.15, random: SplitMix64(seed: 4))
    for run in 0..<200 {
      let reference = (0..<21).map { world.day($0) }
      let current = [world.day(21, drop: Double(run % 5) / 50)]
      let test = try #require(DailyDrop(current: current, reference: reference, margin: 0.02))
      let alpha = 0.05
      let interval = try #require(test.difference(level: 1 - 2 * alpha).value?.interval)
      let p = try #require(test.p)
      #expect((interval.upper < 0) == (p < alpha), "\(interval) \(p)")
      #expect((interval.lower > -0.02) == test.isShownToHold(alpha: alpha), "\(interval)")
    }
  }

  /// A slice's rates are tested, with the days of the whole.
  @Test func `slices have weekdays of their own`() throws {
    var world = World(perDay: 1_000, deviation: 0.1, weekend: -0.3, random: SplitMix64(seed: 5))
    let reference = (0..<28).map { world.day($0) }
    let part = Proportion(successes: 1_800, trials: 3_000)
    func test(_ current: [DayCounts]) throws -> DailyDrop {
      try #require(
        DailyDrop(
          current: current, reference: reference,
          slice: (Proportion(successes: 58, trials: 100), part), margin: 0))
    }
    // How the whole's weekdays differ is no shift of the slice, but makes its days differ.
    let night = try test([world.day(30)])
    #expect(!night.variation.isByWeekday && night.reference.rate == 0.6)
    // With each weekday on both sides it cancels.
    let week = try test((28..<35).map { world.day($0) })
    #expect(week.variation.isByWeekday && week.reference.rate == 0.6)
    #expect(week.deviationOfDays < night.deviationOfDays)
  }

  /// Nobody behaves otherwise at weekends, but other people come: half of them are of a kind of
  /// whom 80 % succeed, at weekends 90 %, of the others 40 %.
  @Test(arguments: [1, 2, 3, 7]) func `a mix that weekdays change is no drop of a kind`(
    nights: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(nights))
    func draw(_ trials: Int, _ rate: Double) -> Proportion {
      let successes = (0..<trials).count { _ in
        Double(random.next() >> 11) / Double(1 << 53) < rate
      }
      return Proportion(successes: successes, trials: trials)
    }
    func day(_ day: Int) -> (first: Proportion, second: Proportion, whole: DayCounts) {
      let share = day % 7 == 2 || day % 7 == 3 ? 180 : 100
      let (first, second) = (draw(share, 0.8), draw(200 - share, 0.4))
      return (first, second, DayCounts(day: day, counts: .sum([first, second])))
    }
    let runs = 300
    var failed = [0, 0, 0]
    for run in 0..<runs {
      let before = (0..<28).map { day($0) }
      let now = (0..<nights).map { day(28 + run % 7 + $0) }
      func p(_ slice: (current: Proportion, reference: Proportion)) -> Double {
        DailyDrop(
          current: now.map(\.whole), reference: before.map(\.whole), slice: slice, margin: 0
        )?.p ?? 1
      }
      let first = (
        current: Proportion.sum(now.map(\.first)), reference: Proportion.sum(before.map(\.first))
      )
      let second = (
        current: Proportion.sum(now.map(\.second)), reference: Proportion.sum(before.map(\.second))
      )
      let mixed = StratifiedComparison(
        strata: [first, second].map {
          ProportionComparison(treatment: $0.current, control: $0.reference)
        })
      let one = try #require(mixed.asOneStratum)
      for (index, slice) in [first, second, (one.treatment, one.control)].enumerated() {
        if p(slice) < 0.05 { failed[index] += 1 }
      }
    }
    print("\(nights) nights of another mix: \(failed) of \(runs) fail")
    let bound = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    #expect(failed.allSatisfy { Double($0) / Double(runs) <= bound })
  }
}
