package import FlowDefinition
package import FunnelEngine
internal import RealModule

/// A time histogram drawn together into few bins of equal width on a logarithmic axis.
public struct TimeDistribution: Sendable {
  /// The persons whose time lies in one stretch of the axis.
  public struct Bin: Sendable, Hashable {
    /// Where the bin begins; it ends where the next one begins.
    public var lowMilliseconds: Double
    /// How many persons' times it holds.
    public var count: Int
  }
  /// A round time that is marked on the axis.
  public struct Tick: Sendable, Hashable {
    /// From 0 to 1 along the axis.
    public var place: Double
    /// The time in words: `10 s`, `1 min`.
    public var label: String
  }

  /// From the shortest times to the longest, of equal width on the axis, also empty ones.
  public let bins: [Bin]
  /// The median of all times, the lower edge of its histogram's bucket.
  public let medianMilliseconds: Int64
  /// How many persons have a time.
  public let count: Int
  private let low: Double
  private let high: Double

  /// - Parameter rangeMilliseconds: the axis' ends; what lies beyond counts in the outermost bins.
  package init?(
    _ histogram: TimeHistogram, rangeMilliseconds: ClosedRange<Double>, bins wanted: Int
  ) {
    guard let median = histogram.percentile(50) else { return nil }
    medianMilliseconds = median
    count = histogram.count
    low = Double.log(rangeMilliseconds.lowerBound)
    high = Double.log(rangeMilliseconds.upperBound)
    var counts = Array(repeating: 0, count: wanted)
    let width = (high - low) / Double(wanted)
    for bucket in histogram.buckets {
      let place = (Double.log(Double(max(1, bucket.lowerEdgeMilliseconds))) - low) / width
      counts[min(wanted - 1, max(0, Int(place)))] += bucket.count
    }
    let start = low
    bins = counts.enumerated().map { index, count in
      Bin(lowMilliseconds: Double.exp(start + Double(index) * width), count: count)
    }
  }

  /// From 0 to 1 along the axis; `nil` beyond it.
  public func place(ofMilliseconds milliseconds: Int64) -> Double? {
    let place = (Double.log(Double(max(1, milliseconds))) - low) / (high - low)
    return (-0.001...1.001).contains(place) ? min(1, max(0, place)) : nil
  }

  /// The round times within the axis that have room, the roundest first.
  public var ticks: [Tick] { ticks(room: 0.2) }

  /// - Parameter room: the least distance between two of them, as a share of the axis.
  package func ticks(room: Double) -> [Tick] {
    let second: Int64 = 1000
    let all: [(Int64, String)] = [
      (second, "1 s"), (10 * second, "10 s"), (60 * second, "1 min"), (600 * second, "10 min"),
      (3600 * second, "1 h"), (86_400 * second, "1 d"), (604_800 * second, "7 d"),
      (2_592_000 * second, "30 d"), (30 * second, "30 s"), (180 * second, "3 min"),
      (1800 * second, "30 min"), (21_600 * second, "6 h"), (3 * second, "3 s"),
      (300 * second, "5 min"), (120 * second, "2 min"), (5 * second, "5 s"), (100, "0.1 s"),
    ]
    var kept: [Tick] = []
    for (milliseconds, label) in all {
      guard let place = place(ofMilliseconds: milliseconds) else { continue }
      if kept.allSatisfy({ abs($0.place - place) >= room }) {
        kept.append(Tick(place: place, label: label))
      }
    }
    return kept.sorted { $0.place < $1.place }
  }
}

extension Analysis {
  /// The distribution of a measure in a slice, over an axis that fits all given slices.
  ///
  /// - Parameters:
  ///   - metric: `time_to_complete`, `time_on_step` or `time_to_goal`.
  ///   - common: the axis' ends, where it is one of several charts.
  package func distributions(
    _ metric: MetricName, step: String = "all", in slices: [Slice], bins: Int = 36,
    over common: ClosedRange<Double>? = nil
  ) -> [(slice: Slice, distribution: TimeDistribution)] {
    guard let measure = timeMeasure(metric, step) else { return [] }
    let histograms = slices.map { times[$0]?[measure] }
    guard let range = common ?? Analysis.range(of: histograms) else { return [] }
    return zip(slices, histograms).compactMap { slice, histogram in
      guard let histogram,
        let distribution = TimeDistribution(histogram, rangeMilliseconds: range, bins: bins)
      else { return nil }
      return (slice, distribution)
    }
  }

  /// An axis that fits everyone's times on all steps, so that steps can be set side by side.
  package var rangeOfSteps: ClosedRange<Double>? {
    Analysis.range(of: flow.steps.indices.map { times[.all]?[.step($0)] })
  }

  /// From the shortest but one in a hundred to the longest but one.
  private static func range(of histograms: [TimeHistogram?]) -> ClosedRange<Double>? {
    let buckets = histograms.flatMap { histogram -> [Int64] in
      guard let histogram, let low = histogram.percentile(1), let high = histogram.percentile(99)
      else { return [] }
      return [low, high]
    }
    guard let smallest = buckets.min(), let largest = buckets.max() else { return nil }
    let low = Double(max(200, smallest)) / 1.25
    return low...max(low * 8, Double(largest) * 1.25)
  }

  func timeMeasure(_ metric: MetricName, _ step: String) -> TimeMeasure? {
    switch metric {
    case .timeToComplete: .complete
    case .timeOnStep: flow.stepIndex(step).map { .step($0) }
    case .timeToMoveOn: flow.stepIndex(step).map { .moveOn($0) }
    case .timeToGoal: flow.goals.firstIndex { $0.id == step }.map { .goal($0) }
    default: nil
    }
  }
}
