/// Lines of events that a program holds in memory, read as a file of the same bytes would be.
///
/// Two of them are the same where they are one object: contents are never compared.
public final class InMemoryBytes: Sendable, Hashable {
  /// What summaries and rejects call them.
  public let name: String
  public let content: [UInt8]

  public init(name: String, content: [UInt8]) {
    self.name = name
    self.content = content
  }

  public static func == (left: InMemoryBytes, right: InMemoryBytes) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
