internal import ReportText

/// An axis of time since a start, with two to four round marks, so that they have room on a phone.
struct DurationAxis {
  let milliseconds: Int64
  private static let second: Int64 = 1000
  private static let steps: [Int64] = [
    1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800,
    604_800, 1_209_600, 2_592_000, 7_776_000, 31_536_000,
  ].map { $0 * second }
  private static let mostSteps: Int64 = 3

  init(milliseconds: Int64) { self.milliseconds = max(1, milliseconds) }

  func share(_ time: Int64) -> Double {
    min(1, max(0, Double(time) / Double(milliseconds)))
  }

  /// From 0, each a round length apart.
  var marks: [Int64] {
    let step =
      Self.steps.first { milliseconds <= $0 * Self.mostSteps }
      ?? Self.steps.last.map { $0 * (milliseconds / ($0 * Self.mostSteps) + 1) } ?? milliseconds
    return Array(stride(from: 0, through: milliseconds, by: Int64.Stride(step)))
  }

  /// The marks below a chart. Each is moved to the left by its own share of its width, so that the
  /// first begins at the axis' beginning and none is cut at its end.
  func write(_ page: inout MarkupWriter) {
    page.element("div", ["class": "axis", "aria-hidden": "true"]) { page in
      for mark in marks {
        let place = ChartScale.percent(share(mark))
        page.element(
          "span", ["style": "left:\(place);transform:translateX(-\(place))"],
          text: mark == 0 ? "0" : DisplayText.sentence(RateText.duration(Double(mark) / 1000)))
      }
    }
  }
}
