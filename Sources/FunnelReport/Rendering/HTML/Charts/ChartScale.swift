internal import ReportText

/// Where values stand on an axis, as a share of its length, and which of them are written there.
struct ChartScale {
  struct Tick {
    var value: Double
    var label: String
    /// Left out on narrow screens.
    var isMinor = false
  }

  enum Shape {
    case linear
    /// Of 1 + value, so that 0 has a place.
    case logarithmic
  }

  let low: Double
  let high: Double
  let shape: Shape
  let ticks: [Tick]

  init(low: Double, high: Double, shape: Shape = .linear, ticks: [Tick]) {
    self.low = low
    self.high = high > low ? high : low + 1
    self.shape = shape
    self.ticks = ticks
  }

  /// From 0 at the axis' beginning to 1 at its end; values beyond it stand at the end.
  func place(_ value: Double) -> Double {
    let share: Double
    switch shape {
    case .linear: share = (value - low) / (high - low)
    case .logarithmic:
      share =
        (Logarithm.natural(1 + value) - Logarithm.natural(1 + low))
        / (Logarithm.natural(1 + high) - Logarithm.natural(1 + low))
    }
    return min(1, max(0, share))
  }

  /// Without the ticks that stand too close to another; the last one always stays.
  func withRoom(_ room: Double) -> ChartScale {
    var kept: [Tick] = []
    let end = ticks.last.map { place($0.value) } ?? 1
    for (index, tick) in ticks.enumerated() {
      let here = place(tick.value)
      let isLast = index == ticks.count - 1
      let before = kept.last.map { place($0.value) } ?? -1
      if isLast || (here - before >= room && end - here >= room) { kept.append(tick) }
    }
    return ChartScale(low: low, high: high, shape: shape, ticks: kept)
  }

  /// A place in percent, as SVG takes it.
  func percent(_ value: Double) -> String { ChartScale.percent(place(value)) }

  static func percent(_ share: Double) -> String {
    short(share * 100, decimals: 1) + "%"
  }

  static func pixels(_ value: Double) -> String { short(value, decimals: 1) }

  /// Without zeros at the end: a page has thousands of places.
  private static func short(_ value: Double, decimals: Int) -> String {
    var text = NumberText.fixed(value, decimals: decimals) ?? "0"
    while text.hasSuffix("0") && text.contains(".") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Rates from 0 up to a round number above the largest.
  static func rates(upTo largest: Double) -> ChartScale {
    let tops: [(Double, Double)] = [
      (0.02, 0.01), (0.05, 0.01), (0.1, 0.02), (0.2, 0.05), (0.3, 0.1), (0.4, 0.1), (0.5, 0.1),
      (0.6, 0.2), (0.8, 0.2), (1, 0.25),
    ]
    let (top, step) = tops.first { $0.0 >= largest * 1.02 } ?? (1, 0.25)
    return ChartScale(low: 0, high: top, ticks: ticks(from: 0, to: top, step: step))
  }

  /// Rates that all lie high: the axis begins where something is to be seen.
  static func rates(from smallest: Double, to largest: Double) -> ChartScale {
    let span = max(largest - smallest, 0.02)
    let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25].first { span / $0 <= 4.5 } ?? 0.25
    let low = max(0, ((smallest / step).rounded(.down)) * step)
    let high = min(1, ((largest / step).rounded(.up)) * step)
    return ChartScale(low: low, high: high, ticks: ticks(from: low, to: high, step: step))
  }

  /// Differences around zero, the same width on both sides.
  static func differences(upTo largest: Double) -> ChartScale {
    let steps = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    let step = steps.first { largest / $0 <= 2 } ?? 1
    let top = max(step, (largest / step).rounded(.up) * step)
    let ticks = [-top, 0, top].map {
      Tick(value: $0, label: $0 == 0 ? "0" : DisplayText.signed($0))
    }
    return ChartScale(low: -top, high: top, ticks: ticks)
  }

  private static func ticks(from low: Double, to high: Double, step: Double) -> [Tick] {
    let count = Int(((high - low) / step).rounded())
    return (0...max(1, count)).map { index in
      let value = low + Double(index) * step
      let decimals = step < 0.01 ? 1 : 0
      let text = NumberText.fixed(value * 100, decimals: decimals) ?? ""
      return Tick(value: value, label: text + "\u{A0}%")
    }
  }
}
