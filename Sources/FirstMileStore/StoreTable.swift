/// A table of a store, as it is read, sealed and written; `StoreSchema` has its definition.
struct StoreTable: Sendable, Hashable {
  let name: String
  /// The columns that a row's seal covers, in its order; the first `keyCount` of them identify rows
  /// apart.
  let columns: [String]
  let keyCount: Int
  /// A large BLOB, which is read on its own. The column `checksum` covers it.
  var content: String?

  init(_ name: String, key: [String], _ columns: [String] = [], content: String? = nil) {
    self.name = name
    self.columns = key + columns
    keyCount = key.count
    self.content = content
  }

  /// `a = ? AND b = ?`, for the columns of the key.
  var isRow: String { columns.prefix(keyCount).map { "\($0) = ?" }.joined(separator: " AND ") }
}

extension StoreTable {
  static let identifierKey = StoreTable("identifier_key", key: ["id"], ["bytes"])
  static let ledger = StoreTable("ledger", key: ["name"], ["rows", "total"])
  static let definitions = StoreTable(
    "definitions", key: ["id"], ["flow", "fingerprint", "text", "last_used"])
  static let sources = StoreTable(
    "sources", key: ["id"],
    [
      "path", "stamp", "digest", "compressed_bytes", "uncompressed_bytes", "compression", "format",
      "lines", "blank_lines", "events", "events_without_user", "events_without_device",
      "timestamps_without_offset", "placeholders", "rejects", "damages", "facts", "facts_forgotten",
      "first_milliseconds", "last_milliseconds", "program_version", "replaced_by",
    ])
  static let layouts = StoreTable("layouts", key: ["id"], ["text"])
  static let packs = StoreTable(
    "packs", key: ["id"], ["layout", "facts", "checksum"], content: "tables")
  static let packSources = StoreTable(
    "pack_sources", key: ["pack", "number"], ["source", "is_superseded"])
  static let segments = StoreTable(
    "segments", key: ["id"], ["pack", "partition", "facts", "bytes", "checksum"],
    content: "data")
  static let aliases = StoreTable(
    "aliases", key: ["source", "user", "other"], ["milliseconds"])
  static let tombstones = StoreTable(
    "tombstones", key: ["kind", "hash", "first_milliseconds"], ["last_milliseconds", "erased"])
  static let history = StoreTable(
    "history", key: ["id"],
    [
      "flow", "fingerprint", "program_version", "horizon_milliseconds", "options", "last_source",
      "facts", "metrics_digest", "made_at", "metrics", "metrics_total",
    ])
  static let historyMetrics = StoreTable(
    "history_metrics", key: ["history", "number"],
    [
      "experiment", "variant", "metric", "step", "fingerprint", "numerator", "denominator",
      "value", "low", "high", "unit",
    ])

  /// The tables whose rows are counted in the ledger. Those of `history_metrics` are counted in
  /// their row of `history`, so that a report need not read the metrics of all reports before it.
  static let counted = [
    definitions, sources, layouts, packs, packSources, segments, aliases, tombstones, history,
  ]
}
