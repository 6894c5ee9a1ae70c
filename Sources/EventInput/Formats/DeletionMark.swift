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

  let path: EventFormat.Path
  let meaning: Meaning

  static let all = [
    DeletionMark(path: ["_fivetran_deleted"], meaning: .truth(true)),
    // Of all versions of a row, those that are past.
    DeletionMark(path: ["_fivetran_active"], meaning: .truth(false)),
    // Stitch, and other loaders of Singer's.
    DeletionMark(path: ["_sdc_deleted_at"], meaning: .anything),
    DeletionMark(path: ["_ab_cdc_deleted_at"], meaning: .anything),
    DeletionMark(path: ["__hevo__marked_deleted"], meaning: .truth(true)),
    // Debezium, where it writes rows instead of changes.
    DeletionMark(path: ["__deleted"], meaning: .truth(true)),
    DeletionMark(path: ["_peerdb_is_deleted"], meaning: .truth(true)),
    DeletionMark(path: ["_PEERDB_IS_DELETED"], meaning: .truth(true)),
    // Estuary, in tables and in JSON.
    DeletionMark(path: ["_meta/op"], meaning: .text("d")),
    DeletionMark(path: ["_meta", "op"], meaning: .text("d")),
    // AWS DMS, in the files that it writes.
    DeletionMark(path: ["Op"], meaning: .text("D")),
    // Streams of Snowflake, in which an update is a row that goes and one that comes.
    DeletionMark(path: ["METADATA$ACTION"], meaning: .text("DELETE")),
    DeletionMark(path: ["metadata$action"], meaning: .text("DELETE")),
    // The change data feed of Delta Lake, and changes of BigQuery's tables.
    DeletionMark(path: ["_change_type"], meaning: .text("delete")),
    DeletionMark(path: ["_change_type"], meaning: .text("update_preimage")),
    DeletionMark(path: ["_change_type"], meaning: .text("DELETE")),
    DeletionMark(path: ["_CHANGE_TYPE"], meaning: .text("DELETE")),
  ]
}
