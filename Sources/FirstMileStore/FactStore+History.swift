internal import FlowDefinition
internal import Foundation

extension FactStore {
  /// Keeps what a report leaves behind; the same report made again leaves nothing new.
  ///
  /// - Returns: whether it was new.
  @discardableResult
  package func keep(_ entry: HistoryEntry) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let options = String(decoding: try encoder.encode(entry.options), as: UTF8.self)
    return try write { tables in
      let last = try tables.all(.history).last { row in
        try row.text("flow") == entry.flow && row.text("options") == options
      }
      if let last, try last.text("metrics_digest") == entry.metricsDigest,
        try last.integer("last_source") == entry.lastSource,
        try last.text("fingerprint") == entry.fingerprint
      {
        return false
      }
      let id = try tables.newID(.history)
      let sum = try tables.insert(
        .historyMetrics,
        entry.metrics.enumerated().map { number, metric in
          [
            id, number, metric.experiment, metric.variant, metric.metric.rawValue, metric.step,
            metric.fingerprint, metric.numerator, metric.denominator, metric.value, metric.low,
            metric.high, metric.unit,
          ]
        })
      try tables.insert(
        .history,
        [
          [
            id, entry.flow, entry.fingerprint, entry.programVersion, entry.horizonMilliseconds,
            options, entry.lastSource, entry.facts, entry.metricsDigest, entry.madeAt, sum.rows,
            sum.total,
          ]
        ])
      return true
    }
  }

  /// The last reports of a flow, latest first.
  ///
  /// - Parameters:
  ///   - fingerprint: only those with these definitions, if given.
  ///   - limit: how many at most.
  ///   - hasMetrics: false if their metrics are left out, which are most of what is read.
  package func history(
    flow: String, fingerprint: String? = nil, limit: Int, hasMetrics: Bool = true
  ) throws -> [HistoryEntry] {
    try read { tables in
      let rows = try tables.all(.history).filter { row in
        guard try row.text("flow") == flow else { return false }
        return try fingerprint == nil || row.text("fingerprint") == fingerprint
      }
      return try rows.suffix(max(0, limit)).reversed().map { row in
        guard hasMetrics else { return try entry(row, []) }
        let metrics = try tables.whole(
          .historyMetrics, try FactStore.metrics(of: row), "history = ?",
          [try row.integer("id")])
        return try entry(row, metrics)
      }
    }
  }

  private static func metrics(of row: StoredRow) throws -> SealedTables.Sum {
    SealedTables.Sum(
      rows: try row.integer("metrics"), total: try row.integer("metrics_total"))
  }

  /// Reads all reports and their metrics, which must be those that were written.
  func readHistory(_ tables: SealedTables) throws {
    let all = try tables.all(.history).reduce(into: SealedTables.Sum()) { all, row in
      let sum = try FactStore.metrics(of: row)
      all.rows &+= sum.rows
      all.total &+= sum.total
    }
    for row in try tables.whole(.historyMetrics, all, "") { _ = try metric(row) }
  }

  private func entry(_ row: StoredRow, _ metrics: [StoredRow]) throws -> HistoryEntry {
    let options = try row.text("options")
    guard let words = try? JSONDecoder().decode([String: String].self, from: Data(options.utf8))
    else { throw row.damage }
    var entry = HistoryEntry(
      flow: try row.text("flow"), fingerprint: try row.text("fingerprint"),
      programVersion: try row.text("program_version"),
      horizonMilliseconds: try row.optional("horizon_milliseconds", StoredRow.integer),
      options: words, lastSource: try row.integer("last_source"), facts: try row.count("facts"),
      metricsText: "", madeAt: try row.text("made_at"), metrics: try metrics.map(metric))
    entry.id = try row.integer("id")
    entry.metricsDigest = try row.text("metrics_digest")
    return entry
  }

  private func metric(_ row: StoredRow) throws -> HistoryEntry.Metric {
    HistoryEntry.Metric(
      experiment: try row.text("experiment"), variant: try row.text("variant"),
      metric: MetricName(rawValue: try row.text("metric")), step: try row.text("step"),
      fingerprint: try row.text("fingerprint"),
      numerator: try row.optional("numerator", StoredRow.integer).map(Int.init),
      denominator: try row.optional("denominator", StoredRow.integer).map(Int.init),
      value: try row.optional("value", StoredRow.number),
      low: try row.optional("low", StoredRow.number),
      high: try row.optional("high", StoredRow.number), unit: try row.text("unit"))
  }
}
