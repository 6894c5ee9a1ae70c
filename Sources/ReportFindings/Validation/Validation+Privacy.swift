internal import FunnelMetrics

// Personal text in the events: for information, as it says nothing about the numbers.
extension Validation {
  static func privacy(_ provenance: Provenance) -> [ValidationCheck] {
    provenance.personalProperties.map { property in
      ValidationCheck(
        check: "personal_text", item: property.path, count: property.events,
        total: property.sampledEvents,
        note: "looks like \(property.looksLike): \(property.advice)")
    }
  }
}
