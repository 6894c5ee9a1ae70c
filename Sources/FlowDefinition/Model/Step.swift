/// One screen of a flow.
public struct Step: Sendable, Hashable {
  /// The page's name in the events; unique in the flow.
  public var id: String
  /// A title for people; the id where the file gives none.
  public var title: String
  /// The time the design means this screen to take.
  public var expectedMilliseconds: Int64?
  /// The index of the step this one branches off: it is shown to those who choose it.
  public var branchOf: Int?
  /// Not every person of the list sees it; not seeing it is *not taken*, not *bypassed*.
  public var isOptional: Bool
  /// The permissions this screen primes or asks for.
  public var asks: [String]

  /// A step that everybody on the list sees and that asks for nothing, unless said otherwise.
  public init(
    id: String, title: String? = nil, expectedMilliseconds: Int64? = nil, branchOf: Int? = nil,
    isOptional: Bool = false, asks: [String] = []
  ) {
    self.id = id
    self.title = title ?? id
    self.expectedMilliseconds = expectedMilliseconds
    self.branchOf = branchOf
    self.isOptional = isOptional
    self.asks = asks
  }
}
