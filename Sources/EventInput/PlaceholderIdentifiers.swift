/// Ids that clients send where they have none: they unite nobody.
///
/// The words are those that PostHog documents to refuse (docs/formats.md has the page) and a few
/// like them, in small and large letters and with a capital.
struct PlaceholderIdentifiers: Sendable {
  static let words = [
    "anonymous", "guest", "distinctid", "distinct_id", "id", "not_authenticated", "email",
    "undefined", "true", "false", "null", "nil", "none", "nan", "unknown", "[object object]",
  ]
  private static let asTheyStand = ["[object Object]", "NaN", "distinctId"]

  private let hashes: Set<IdentifierHash>

  init(_ key: IdentifierKey) {
    let spellings = Self.words.flatMap { word in
      [word, word.uppercased(), word.prefix(1).uppercased() + word.dropFirst()]
    }
    hashes = Set((spellings + Self.asTheyStand).map { key.hash(of: $0, domain: .user) })
  }

  func contains(user: IdentifierHash) -> Bool { hashes.contains(user) }
}
