internal import Timelines

/// Where the canonical fields stand in an action's values.
struct ActionPlaces: Sendable {
  let event: Int
  let pageName: Int
  let pageNumber: Int
  let pageIndex: Int
  let skippedAtPage: Int
  let skippedAtIndex: Int
  let method: Int
  let permission: Int
  let status: Int
  let prompted: Int

  init(_ schema: FactSchema) {
    func place(_ field: String) -> Int { schema.actionIndex(ofField: field) ?? 0 }
    event = place("event")
    pageName = place("page_name")
    pageNumber = place("page_number")
    pageIndex = place("page_index")
    skippedAtPage = place("skipped_at_page")
    skippedAtIndex = place("skipped_at_index")
    method = place("completion_method")
    permission = place("permission")
    status = place("status")
    prompted = place("prompted")
  }
}
