/// Lines of events that a program holds in memory, read as a file of the same bytes would be.
///
/// Two of them are the same where they are one object: contents are never compared.
public final class InMemoryBytes: Sendable, Hashable {
  /// What summaries and rejects call them.
  public let name: String
  /// The bytes as a file would hold them; they may be compressed.
  public let content: [UInt8]

  /// Bytes by a name that summaries and rejects call them.
  public init(name: String, content: [UInt8]) {
    self.name = name
    self.content = content
  }

  /// Whether both are one object, whatever they hold.
  public static func == (left: InMemoryBytes, right: InMemoryBytes) -> Bool { left === right }

  /// Takes the object's identity, as equality does.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
