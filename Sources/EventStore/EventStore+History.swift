internal import Foundation
internal import GRDB

extension EventStore {
  /// Keeps what a report leaves behind; the same report made again leaves nothing new.
  ///
  /// - Returns: whether it was new.
  @discardableResult
  public func keep(_ entry: HistoryEntry) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let options = String(decoding: try encoder.encode(entry.options), as: UTF8.self)
    return try mapped {
      try queue.write { db in
        let last = try Row.fetchOne(
          db,
          sql: """
            SELECT * FROM history WHERE flow = ? AND options = ? ORDER BY id DESC LIMIT 1
            """, arguments: [entry.flow, options])
        if let last, last["metrics_digest"] == entry.metricsDigest,
          last["last_source"] == entry.lastSource, last["fingerprint"] == entry.fingerprint
        {
          return false
        }
        try db.execute(
          sql: """
            INSERT INTO history (flow, fingerprint, program_version, horizon_milliseconds, options,
              last_source, facts, metrics_digest, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            entry.flow, entry.fingerprint, entry.programVersion, entry.horizonMilliseconds,
            options, entry.lastSource, entry.facts, entry.metricsDigest, entry.madeAt,
          ])
        let id = db.lastInsertedRowID
        for (number, metric) in entry.metrics.enumerated() {
          try db.execute(
            sql: """
              INSERT INTO history_metrics (history, number, experiment, variant, metric, step,
                fingerprint, numerator, denominator, value, low, high, unit)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
              """,
            arguments: [
              id, number, metric.experiment, metric.variant, metric.metric, metric.step,
              metric.fingerprint, metric.numerator, metric.denominator, metric.value, metric.low,
              metric.high, metric.unit,
            ])
        }
        return true
      }
    }
  }

  /// The last reports of a flow, latest first.
  ///
  /// - Parameters:
  ///   - fingerprint: only those with these definitions, if given.
  ///   - limit: how many at most.
  public func history(
    flow: String, fingerprint: String? = nil, limit: Int
  ) throws -> [HistoryEntry] {
    try mapped {
      try queue.inDatabase { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT * FROM history WHERE flow = ? AND (fingerprint = ? OR ? IS NULL)
            ORDER BY id DESC LIMIT ?
            """, arguments: [flow, fingerprint, fingerprint, limit]
        ).map { row in
          let metrics = try Row.fetchAll(
            db, sql: "SELECT * FROM history_metrics WHERE history = ? ORDER BY number",
            arguments: [row["id"]])
          return try entry(row, metrics)
        }
      }
    }
  }

  private func entry(_ row: Row, _ metrics: [Row]) throws -> HistoryEntry {
    let options: String = row["options"]
    let words = try? JSONDecoder().decode([String: String].self, from: Data(options.utf8))
    guard let words else {
      throw StoreError.damaged(path, "a row of the report history is unreadable")
    }
    var entry = HistoryEntry(
      flow: row["flow"], fingerprint: row["fingerprint"], programVersion: row["program_version"],
      horizonMilliseconds: row["horizon_milliseconds"], options: words,
      lastSource: row["last_source"], facts: row["facts"], metricsText: "",
      madeAt: row["made_at"],
      metrics: metrics.map { metric in
        HistoryEntry.Metric(
          experiment: metric["experiment"], variant: metric["variant"], metric: metric["metric"],
          step: metric["step"], fingerprint: metric["fingerprint"],
          numerator: metric["numerator"], denominator: metric["denominator"],
          value: metric["value"], low: metric["low"], high: metric["high"], unit: metric["unit"])
      })
    entry.id = row["id"]
    entry.metricsDigest = row["metrics_digest"]
    return entry
  }
}
