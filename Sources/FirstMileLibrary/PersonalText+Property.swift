package import EventInput
package import FunnelMetrics

extension PersonalText {
  /// What was found about a property, for the report.
  package init(_ property: PersonalProperty) {
    self.init(
      path: property.path, kind: property.kind.rawValue, looksLike: property.kind.words,
      events: property.events, sampledEvents: property.sampledEvents,
      remedy: property.isIdentifier ? .randomIdentifier : property.isUsed ? .stop : .redact)
  }
}
