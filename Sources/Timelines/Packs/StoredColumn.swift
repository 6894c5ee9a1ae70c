/// One value that a store keeps of every event, by where it stands in the event.
public struct StoredColumn: Sendable, Hashable, Codable {
  /// Whether the value says what happened, under which circumstances, or both.
  public struct Use: OptionSet, Sendable, Hashable, Codable {
    /// One bit for each use.
    public let rawValue: Int

    /// The uses whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The value says what happened: facts that differ in it differ in their action.
    public static let action = Use(rawValue: 1)
    /// The value says under which circumstances something happened.
    public static let context = Use(rawValue: 2)
  }

  /// Object keys from the event's root; the first path that has a value counts. Only the event's
  /// name may have several.
  public var paths: [[String]]
  /// Whether the flow file names the path: then formats of dumps leave it as it is.
  public var isOwn = false
  /// What the value is kept for.
  public var use: Use
  /// Names that keep their place however many others there are, in the order of their bytes.
  public var declared: [String]
  /// How many other names keep a place in one source.
  public var limit: Int
  /// Names without a place still differ by 16 bits of their hash.
  public var tellsOthersApart: Bool

  /// The path for people: `properties.status`.
  public var name: String { paths.map { $0.joined(separator: ".") }.joined(separator: " or ") }

  /// The column with what another one asks for as well.
  func united(with other: StoredColumn) -> StoredColumn {
    StoredColumn(
      paths: paths, isOwn: isOwn, use: use.union(other.use),
      declared: Array(Set(declared).union(other.declared)).sorted(),
      limit: max(limit, other.limit),
      tellsOthersApart: tellsOthersApart || other.tellsOthersApart)
  }
}
