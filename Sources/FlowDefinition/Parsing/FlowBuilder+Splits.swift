internal import Yams

/// An experiment's place in time: when it begins and ends, and when its split changed.
extension FlowBuilder {
  /// `start` and `end`; with `splits` the first `from` is the start.
  func readDates(_ reader: MappingReader, _ experiment: inout Experiment, _ what: String) {
    experiment.startMilliseconds = reader.node("start").flatMap { instant($0, "'start'") }
    experiment.endMilliseconds = reader.node("end").flatMap { instant($0, "'end'") }
    if let first = experiment.periods.first {
      if reader.has("start") {
        diagnostics.error(
          "'start' can't stand beside 'splits': the first 'from' is the start",
          at: reader.keyMark("start"), found: "start")
      }
      experiment.startMilliseconds = first.startMilliseconds
    }
    let last = experiment.periods.last?.startMilliseconds ?? experiment.startMilliseconds
    if let last, let end = experiment.endMilliseconds, end <= last {
      diagnostics.error(
        "\(what) ends before it begins", at: reader.keyMark("end"),
        found: reader.text("end") ?? "")
    }
  }

  /// The splits in the order of time. Each names all variants; the last one's shares are those of
  /// the variants.
  func readSplits(
    _ reader: MappingReader, _ what: String
  ) -> (variants: [Variant], periods: [SplitPeriod]) {
    var variants: [Variant] = []
    var periods: [SplitPeriod] = []
    for node in reader.list("splits") ?? [] {
      guard let entries = MappingReader.entries(of: node, what: "an item of 'splits'", diagnostics)
      else { continue }
      let found = readSplit(entries.filter { $0.name != "from" }, what, at: node.place)
      guard let from = entries.first(where: { $0.name == "from" }) else {
        diagnostics.error("an item of 'splits' needs 'from'", at: node.place, found: "nothing")
        continue
      }
      guard let start = instant(from.node, "'from'") else { continue }
      if let previous = periods.last, start <= previous.startMilliseconds {
        diagnostics.error(
          "the items of 'splits' must stand in the order of time", at: from.mark,
          found: from.node.scalar?.string ?? "")
        continue
      }
      if variants.isEmpty { variants = found }
      guard let shares = shares(found, of: variants, at: node.place) else { continue }
      for index in variants.indices { variants[index].share = shares[index] }
      periods.append(SplitPeriod(startMilliseconds: start, shares: shares))
    }
    return (variants, periods)
  }

  /// The shares of the variants in another split, in their order.
  private func shares(
    _ found: [Variant], of variants: [Variant], at place: SourcePlace?
  ) -> [Double]? {
    let names = variants.map(\.id)
    if let other = found.first(where: { !names.contains($0.id) }) {
      diagnostics.unknown("variant", other.id, at: place, allowed: names)
      return nil
    }
    let shares = names.map { name in found.first { $0.id == name }?.share }
    if let missing = zip(names, shares).first(where: { $0.1 == nil })?.0 {
      diagnostics.error(
        "each item of 'splits' needs all variants; '\(missing)' is missing", at: place,
        found: found.map(\.id).joined(separator: ", "))
      return nil
    }
    return shares.map { $0 ?? 0 }
  }

  /// A day, which begins in the flow's time zone, or an instant in UTC.
  private func instant(_ node: Node, _ what: String) -> Int64? {
    guard let text = diagnostics.text(node, what) else { return nil }
    if let day = CivilDate(text) { return day.startMilliseconds(in: flow.timeZone) }
    if let instant = UTCInstant.milliseconds(text) { return instant }
    diagnostics.error(
      "\(what) must be a day from 2000 to 2100 or an instant, found '\(text)'", at: node.place,
      found: text, allowed: ["2026-01-31", "2026-01-31T12:00:00Z"])
    return nil
  }
}
