/// A property that may say which variant of an experiment a person has.
public struct VariantCandidate: Sendable, Hashable {
  public let path: String
  public let name: String
  /// The values, with how many people have each.
  public let values: [Value]
  public let evidence: String
  /// Whether it is called like a variant, and not only spread like one.
  public let isNamed: Bool
  /// What speaks against an assignment by chance, in words that end a sentence; `nil` where the
  /// timelines show nothing.
  public let doubt: String?
  /// Where the experiment's id stands, if an event names it.
  let experimentPath: String?

  /// One variant.
  public struct Value: Sendable, Hashable {
    public let name: String
    public let people: Int
  }
}
