internal import ReportText

/// A property of the events whose values look like personal text. No value of it is known here.
public struct PersonalText: Sendable, Hashable {
  /// What its owner can do.
  public enum Remedy: Sendable, Hashable {
    /// Stop sending it, or have it dropped on reading.
    case redact
    /// The flow uses it: only to stop sending it.
    case stop
    /// People are known by it: to send a random id in its place.
    case randomIdentifier
  }

  /// Dotted, from the root of the event as the dump has it.
  public var path: String
  /// The kind's name in `quality.csv` and JSON: `email_address`.
  public var kind: String
  /// What it looks like, for readers: `an e-mail address`.
  public var looksLike: String
  /// The sampled events in which it looks like that.
  public var events: Int
  /// How many events were looked at, those without the property among them.
  public var sampledEvents: Int
  /// What can be done about it.
  public var remedy: Remedy

  /// Describes a property; `path` and `kind` must hold no value of it.
  public init(
    path: String, kind: String, looksLike: String, events: Int, sampledEvents: Int, remedy: Remedy
  ) {
    self.path = path
    self.kind = kind
    self.looksLike = looksLike
    self.events = events
    self.sampledEvents = sampledEvents
    self.remedy = remedy
  }

  /// The path as it is shown: names come from the dump.
  package var shownPath: String { SafeText.name(path, limit: 80) }

  /// What to do about it, as the end of a sentence.
  package var advice: String {
    switch remedy {
    case .redact: "stop sending it, or drop it with redact: [\(redaction)] in the flow file"
    case .stop: "stop sending it; the flow uses it, so it can't be dropped on reading"
    case .randomIdentifier: "send a random id instead"
    }
  }

  /// As the flow file takes it: quoted unless it is plain.
  private var redaction: String {
    let isPlain = path.utf8.allSatisfy { byte in
      byte &- 48 < 10 || (byte | 32) &- 97 < 26 || byte == 95 || byte == 46
    }
    return isPlain ? path : JSONText.string(path)
  }
}
