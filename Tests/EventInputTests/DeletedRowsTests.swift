import EventInput
import Testing

/// Rows that pipelines have marked as deleted where they came from.
struct DeletedRowsTests {
  private static let deleted = [
    #""_fivetran_deleted":true"#, #""_fivetran_deleted":"TRUE""#, #""_fivetran_active":false"#,
    #""_sdc_deleted_at":"2026-01-22T10:00:00Z""#, #""__hevo__marked_deleted":true"#,
    #""_peerdb_is_deleted":1"#, #""_PEERDB_IS_DELETED":true"#, #""_meta":{"op":"d"}"#,
    #""_meta/op":"d""#,
  ]
  /// Entries of logs, in which the row as it came may stand, too.
  private static let deletedByLog = [
    #""_ab_cdc_deleted_at":"2026-01-22T10:00:00Z""#, #""__deleted":"true""#, #""__op":"d""#,
    #""Op":"D""#, #""METADATA$ACTION":"DELETE""#, #""_change_type":"delete""#,
    #""_change_type":"update_preimage""#, #""_CHANGE_TYPE":"DELETE""#,
  ]
  private static let changed = [#""Op":"U""#, #""__op":"u""#, #""_CHANGE_TYPE":"UPDATE""#]
  private static let kept = [
    #""_fivetran_deleted":false"#, #""_fivetran_deleted":null"#, #""_fivetran_deleted":"""#,
    #""_fivetran_active":true"#, #""_sdc_deleted_at":null"#, #""_ab_cdc_deleted_at":"""#,
    #""__hevo__marked_deleted":"False""#, #""__deleted":"false""#, #""_peerdb_is_deleted":0"#,
    #""_meta":{"op":"u"}"#, #""_meta/op":"c""#, #""_meta":"d""#, #""Op":"I""#, #""__op":"c""#,
    #""op":"d""#, #""METADATA$ACTION":"INSERT""#, #""_change_type":"update_postimage""#,
    #""properties":{"_fivetran_deleted":true}"#,
  ]

  @Test(arguments: [nil, EventFormat.Name.table])
  func `they are rejects, which say what marks them`(format: EventFormat.Name?) throws {
    var plan = TestPlan.plan()
    plan.format = format
    let gone = Self.deleted + Self.deletedByLog
    let lines = (gone + Self.kept + Self.changed + gone).map { line($0) }
    let outcome = try scan(lines.joined(separator: "\n"), plan: plan)
    #expect(outcome.summary.events == Self.kept.count + Self.changed.count)
    #expect(outcome.summary.changedRows == Self.changed.count)
    #expect(
      outcome.summary.rejectsByReason == [
        .deleted: 2 * Self.deleted.count, .deletedByLog: 2 * Self.deletedByLog.count,
      ])
    let detail = outcome.rejects.first?["detail"]
    #expect(detail == "marked by '_fivetran_deleted'; the row is not kept")
    #expect(outcome.summary.faults == 0)
    #expect(Set(outcome.reasons) == ["deleted_row", "deleted_by_log"])
  }

  @Test func `no mark is left over from a line before`() throws {
    let outcome = try scan(
      [line(#""_fivetran_deleted":true"#), line(), line(#""_meta":{"op":"d"}"#), line()]
        .joined(separator: "\n"))
    #expect(outcome.summary.events == 2 && outcome.summary.rejects == 2)
  }
}
