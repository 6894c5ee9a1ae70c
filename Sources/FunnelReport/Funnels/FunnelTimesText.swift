internal import FunnelEngine
internal import ReportText

/// How long a funnel takes from its entry to its last step, as text.
struct FunnelTimesText {
  let times: FunnelTimes

  init(_ times: FunnelTimes) { self.times = times }

  /// Round times, so that two funnels have the same bins.
  private static let edges: [(milliseconds: Int64, label: String)] = [
    (1000, "1 s"), (2000, "2 s"), (5000, "5 s"), (10_000, "10 s"), (20_000, "20 s"),
    (30_000, "30 s"), (60_000, "1 min"), (120_000, "2 min"), (300_000, "5 min"),
    (600_000, "10 min"), (1_200_000, "20 min"), (1_800_000, "30 min"), (3_600_000, "1 h"),
    (7_200_000, "2 h"), (14_400_000, "4 h"), (28_800_000, "8 h"), (43_200_000, "12 h"),
    (86_400_000, "1 d"), (172_800_000, "2 d"), (259_200_000, "3 d"), (604_800_000, "7 d"),
    (1_209_600_000, "14 d"), (2_592_000_000, "30 d"), (7_776_000_000, "90 d"),
  ]

  private struct Bin {
    var from: Int64
    var to: Int64?
    var label: String
    var count: Int
  }

  /// From the first bin that has a time to the last one.
  private var bins: [Bin] {
    let edges = Self.edges
    let counts = times.counts(between: edges.map(\.milliseconds))
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 })
    else { return [] }
    return (first...last).map { index in
      let from = index == 0 ? "0 s" : edges[index - 1].label
      let to = index == edges.count ? "" : edges[index].label
      return Bin(
        from: index == 0 ? 0 : edges[index - 1].milliseconds,
        to: index == edges.count ? nil : edges[index].milliseconds,
        label: to.isEmpty ? "\(from) or more" : "\(from) to \(to)", count: counts[index])
    }
  }

  private static let columns = 30

  /// For a terminal; nothing where no one finished.
  var lines: [String] {
    guard let mean = times.meanMilliseconds, let median = times.percentile(50),
      let late = times.percentile(90)
    else { return [] }
    let bins = bins
    let most = bins.map(\.count).max() ?? 1
    let width = bins.map(\.label.count).max() ?? 0
    return [
      "",
      "From the first step to the last: mean \(Self.duration(mean)), "
        + "median \(Self.duration(Double(median))), p90 \(Self.duration(Double(late)))",
    ]
      + bins.map { bin in
        let space = String(repeating: " ", count: width - bin.label.count)
        let blocks = (bin.count * Self.columns + most - 1) / most
        return "  \(bin.label)\(space)  \(String(repeating: "█", count: blocks)) "
          + NumberText.grouped(bin.count)
      }
  }

  private static func duration(_ milliseconds: Double) -> String {
    RateText.duration(milliseconds / 1000)
  }

  var json: String {
    func seconds(_ milliseconds: Double?) -> String {
      JSONText.number(milliseconds.map { $0 / 1000 })
    }
    let bins = bins.map { bin in
      JSONText.object([
        ("seconds_from", seconds(Double(bin.from))),
        ("seconds_to", seconds(bin.to.map(Double.init))),
        ("persons", "\(bin.count)"),
      ])
    }
    return JSONText.object([
      ("persons", "\(times.count)"), ("exact", times.isExact ? "true" : "false"),
      ("seconds_mean", seconds(times.meanMilliseconds)),
      ("seconds_p50", seconds(times.percentile(50).map(Double.init))),
      ("seconds_p90", seconds(times.percentile(90).map(Double.init))),
      ("histogram", JSONText.array(bins)),
    ])
  }
}
