/// One kind of event in people's timelines: an event's name, and of a screen its page.
struct EventKind: Hashable, Comparable {
  var event: String
  var page: String?

  static func < (one: EventKind, other: EventKind) -> Bool {
    (one.event, one.page ?? "") < (other.event, other.page ?? "")
  }
}
