public import ExperimentStatistics
internal import FunnelEngine

/// A difference of two rates taken apart, exactly, into who came (mix), what they did (rate) and
/// the kinds of people that only one side has (new kinds).
///
/// With the shares w and rates r of each stratum s among the strata that both sides have, and R the
/// mean of both sides' rates there (Kitagawa 1955, "Components of a Difference Between Two Rates",
/// equation 2; R changes no sum, since the shares of a side add up to one):
///
///     mix = Σ (w_B − w_A) · ((r_A + r_B)/2 − R)      rate = Σ (w_A + w_B)/2 · (r_B − r_A)
///
/// A stratum that one side does not have has no counterpart: the data can't say whether its people
/// differ or what they met. What it moves its own side's rate by is a part of its
/// own: v · (r − the rate of the side's common strata), for a share v of the side's persons. A new
/// release is such a stratum wherever the strata include the release, and its fault isn't mix.
///
/// So is a stratum of which one side has hardly anybody (``leastPeople``): an old release that a
/// last person still has would else give that person's outcome the weight of all who had it.
public struct MixAndRate: Sendable {
  /// One stratum's part.
  public struct Part: Sendable {
    /// The stratum's value of each of ``MixAndRate/dimensions``, in their order.
    public var values: [String]
    /// The stratum's people on the first side, and how many of them did.
    public var before: Proportion
    /// The stratum's people on the second side, and how many of them did.
    public var after: Proportion
    /// Whether both sides have the stratum, and more than hardly anybody of it.
    public var isMatched: Bool
    /// What the stratum adds to ``MixAndRate/mix``; 0 where only one side has it.
    public var mix: Double
    /// What the stratum adds to ``MixAndRate/rate``; 0 where only one side has it.
    public var rate: Double
    /// What the stratum adds to ``MixAndRate/newKinds``; 0 where both sides have it.
    public var newKinds: Double

    /// Of a stratum that one side has: whether it is the second side.
    package func isNew(in whole: MixAndRate) -> Bool {
      Double(before.trials) * Double(whole.people.after)
        < Double(after.trials) * Double(whole.people.before)
    }

    /// What it has to do with the difference, by any way.
    package var sum: Double { mix + rate + newKinds }
  }

  /// A side with fewer people of a kind, and less than a tenth of the other side's share of it, has
  /// hardly anybody of it.
  public static let leastPeople = 20

  /// The dimensions that the strata are made of.
  public let dimensions: [String]
  /// The whole difference, second side − first, in rate points: from the sums over all strata.
  public let difference: Double
  /// The part of the difference that comes from other shares of the common strata, in rate points.
  public let mix: Double
  /// The part that comes from other rates within the common strata, in rate points.
  public let rate: Double
  /// The part of strata that only one side has, in rate points.
  public let newKinds: Double
  /// Half the width of the 95 % interval of the rate part, the shares taken as given; `nil` where
  /// no stratum has both sides, so that there is no rate part.
  public let rateMargin: Double?
  /// The share of persons, the mean of both sides, in strata that both sides have.
  public let matched: Double
  /// In the order of their values.
  public let parts: [Part]
  /// How many people each side has.
  package let people: (before: Int, after: Int)

  package struct Stratum {
    package var values: [String]
    package var before: Proportion
    package var after: Proportion

    package init(values: [String], before: Proportion, after: Proportion) {
      self.values = values
      self.before = before
      self.after = after
    }

    /// Whether enough people of both sides are of it to set them against each other. Those beyond
    /// the values that are kept may be other kinds on each side.
    fileprivate func isMatched(in all: Sides) -> Bool {
      guard before.trials > 0, after.trials > 0, !values.contains(where: DimensionCrossing.hasOther)
      else { return false }
      // Products instead of shares, so that nothing is rounded.
      let before = (people: before.trials, part: Double(before.trials) * Double(all.after.trials))
      let after = (people: after.trials, part: Double(after.trials) * Double(all.before.trials))
      let isScarceBefore = before.people < leastPeople && before.part * 10 < after.part
      let isScarceAfter = after.people < leastPeople && after.part * 10 < before.part
      return !isScarceBefore && !isScarceAfter
    }
  }

  /// `nil` where one side has nobody.
  package init?(_ strata: [Stratum], dimensions: [String]) {
    let all = Sides(strata)
    guard let rateBefore = all.before.estimate, let rateAfter = all.after.estimate else {
      return nil
    }
    let common = Sides(strata.filter { $0.isMatched(in: all) })
    parts = strata.filter { $0.before.trials > 0 || $0.after.trials > 0 }
      .sorted(by: MixAndRate.isBefore)
      .map {
        $0.isMatched(in: all)
          ? MixAndRate.matched($0, common) : MixAndRate.unmatched($0, all, common)
      }
    self.dimensions = dimensions
    people = (all.before.trials, all.after.trials)
    difference = rateAfter - rateBefore
    mix = parts.reduce(0) { $0 + $1.mix }
    rate = parts.reduce(0) { $0 + $1.rate }
    newKinds = parts.reduce(0) { $0 + $1.newKinds }
    matched =
      (Double(common.before.trials) / Double(all.before.trials)
        + Double(common.after.trials) / Double(all.after.trials)) / 2
    rateMargin = common.before.trials > 0 ? MixAndRate.margin(parts, common) : nil
  }

  /// The sums of some strata, by side.
  fileprivate struct Sides {
    var before: Proportion
    var after: Proportion

    init(_ strata: [Stratum]) {
      func sum(_ rates: [Proportion]) -> Proportion {
        Proportion(
          successes: rates.reduce(0) { $0 + $1.successes },
          trials: rates.reduce(0) { $0 + $1.trials })
      }
      before = sum(strata.map(\.before))
      after = sum(strata.map(\.after))
    }

    /// The mean of both sides' rates.
    var middle: Double { ((before.estimate ?? 0) + (after.estimate ?? 0)) / 2 }
  }

  private static func matched(_ stratum: Stratum, _ common: Sides) -> Part {
    let own = stratum.before.estimate ?? 0
    let other = stratum.after.estimate ?? 0
    let shares = MixAndRate.shares(stratum.before, stratum.after, of: common)
    return Part(
      values: stratum.values, before: stratum.before, after: stratum.after, isMatched: true,
      mix: (shares.after - shares.before) * ((own + other) / 2 - common.middle),
      rate: (shares.before + shares.after) / 2 * (other - own), newKinds: 0)
  }

  private static func unmatched(_ stratum: Stratum, _ all: Sides, _ common: Sides) -> Part {
    let shares = MixAndRate.shares(stratum.before, stratum.after, of: all)
    // Where the sides have nothing in common, both are set against their mean.
    let before = (stratum.before.estimate ?? 0) - (common.before.estimate ?? all.middle)
    let after = (stratum.after.estimate ?? 0) - (common.after.estimate ?? all.middle)
    return Part(
      values: stratum.values, before: stratum.before, after: stratum.after, isMatched: false,
      mix: 0, rate: 0, newKinds: shares.after * after - shares.before * before)
  }

  private static func shares(
    _ before: Proportion, _ after: Proportion, of sides: Sides
  ) -> (before: Double, after: Double) {
    (
      Double(before.trials) / Double(max(1, sides.before.trials)),
      Double(after.trials) / Double(max(1, sides.after.trials))
    )
  }

  private static func margin(_ parts: [Part], _ common: Sides) -> Double {
    var variance = 0.0
    for part in parts where part.isMatched {
      let shares = MixAndRate.shares(part.before, part.after, of: common)
      let weight = (shares.before + shares.after) / 2
      variance += weight * weight * (self.variance(part.before) + self.variance(part.after))
    }
    return 1.959964 * variance.squareRoot()
  }

  /// The variance of a rate, with one more who did and one more who didn't (Agresti and Caffo 2000,
  /// "Simple and effective confidence intervals for proportions and differences of proportions"):
  /// 0 of 19 is no rate that is known exactly.
  private static func variance(_ rate: Proportion) -> Double {
    let trials = Double(rate.trials) + 2
    let share = (Double(rate.successes) + 1) / trials
    return share * (1 - share) / trials
  }

  private static func isBefore(_ left: Stratum, _ right: Stratum) -> Bool {
    left.values.lexicographicallyPrecedes(right.values) {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }
}
