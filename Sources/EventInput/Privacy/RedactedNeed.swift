/// Why events can't be read: a redaction drops, from events of their format, what is needed.
///
/// Canonical paths are looked at when a flow file is read. What a vendor calls them is known only
/// once a file's format is.
public struct RedactedNeed: Error, Hashable, CustomStringConvertible {
  /// Where events of the format have it.
  public let place: String
  /// The canonical path, which the flow uses.
  public let path: String
  /// The format in which the redaction drops it.
  public let format: EventFormat.Name

  /// What is dropped though it is needed, and what to change.
  public var description: String {
    """
    'redact' drops '\(place)', where events of the format \(format.rawValue) have \
    '\(path)', which the flow uses. Take it out of 'redact', or out of what the flow uses.
    """
  }
}

extension ScanPlan {
  /// The first need that a redaction drops from events of a format.
  func redactedNeed(in format: EventFormat) -> RedactedNeed? {
    if redaction.paths.isEmpty { return nil }
    let redacted = redaction.paths.places(in: format)
    for field in redaction.neededFields where field.constant == nil {
      let places = places(of: field, in: format)
      // Ids are read all the same: refused is only who names the place where a format has them. A
      // line whose event has its name in a place that is dropped is a reject, which is reported.
      let isFirst = field.role.isIdentifier || field.path == ["event"]
      let candidates = isFirst ? places.prefix(1) : places[...]
      if let dropped = candidates.first(where: redacted.covers) {
        return RedactedNeed(
          place: dropped, path: field.path.joined(separator: "."), format: format.name)
      }
    }
    return nil
  }
}
