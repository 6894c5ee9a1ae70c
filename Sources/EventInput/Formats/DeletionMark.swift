/// What pipelines write into rows that are gone where they came from, or were replaced there: the
/// rows stay in the copy. docs/formats.md has the vendors' pages.
struct DeletionMark {
  /// Which values say so.
  enum Meaning {
    /// This truth value, however it is written.
    case truth(Bool)
    /// Any value: the time of the deletion.
    case anything
    /// This text.
    case text(StaticString)
  }

  /// What has become of the row.
  enum Fate {
    /// It is gone, or was replaced, and this is the row itself.
    case gone
    /// It is gone, and this is an entry of a log: the row as it came may be another one.
    case goneByLog
    /// It is changed, and this is how it is since, in a log.
    case changedByLog
  }

  let path: EventFormat.Path
  let meaning: Meaning
  var fate = Fate.gone

  static let all = [
    DeletionMark(path: ["_fivetran_deleted"], meaning: .truth(true)),
    // Of all versions of a row, those that are past.
    DeletionMark(path: ["_fivetran_active"], meaning: .truth(false)),
    // Stitch, and other loaders of Singer's.
    DeletionMark(path: ["_sdc_deleted_at"], meaning: .anything),
    DeletionMark(path: ["_ab_cdc_deleted_at"], meaning: .anything, fate: .goneByLog),
    DeletionMark(path: ["__hevo__marked_deleted"], meaning: .truth(true)),
    DeletionMark(path: ["_peerdb_is_deleted"], meaning: .truth(true)),
    DeletionMark(path: ["_PEERDB_IS_DELETED"], meaning: .truth(true)),
    // Estuary, in tables and in JSON.
    DeletionMark(path: ["_meta/op"], meaning: .text("d")),
    DeletionMark(path: ["_meta", "op"], meaning: .text("d")),
    // Debezium, where it writes rows instead of changes; and what is made of its changes here.
    DeletionMark(path: ["__deleted"], meaning: .truth(true), fate: .goneByLog),
    DeletionMark(path: ["__op"], meaning: .text("d"), fate: .goneByLog),
    DeletionMark(path: ["__op"], meaning: .text("u"), fate: .changedByLog),
    // AWS DMS, in the files that it writes.
    DeletionMark(path: ["Op"], meaning: .text("D"), fate: .goneByLog),
    DeletionMark(path: ["Op"], meaning: .text("U"), fate: .changedByLog),
    // Streams of Snowflake, in which an update is a row that goes and one that comes.
    DeletionMark(path: ["METADATA$ACTION"], meaning: .text("DELETE"), fate: .goneByLog),
    DeletionMark(path: ["metadata$action"], meaning: .text("DELETE"), fate: .goneByLog),
    // The change data feed of Delta Lake, and changes of BigQuery's tables.
    DeletionMark(path: ["_change_type"], meaning: .text("delete"), fate: .goneByLog),
    DeletionMark(path: ["_change_type"], meaning: .text("update_preimage"), fate: .goneByLog),
    DeletionMark(path: ["_change_type"], meaning: .text("DELETE"), fate: .goneByLog),
    DeletionMark(path: ["_change_type"], meaning: .text("UPDATE"), fate: .changedByLog),
    DeletionMark(path: ["_CHANGE_TYPE"], meaning: .text("DELETE"), fate: .goneByLog),
    DeletionMark(path: ["_CHANGE_TYPE"], meaning: .text("UPDATE"), fate: .changedByLog),
  ]
}
