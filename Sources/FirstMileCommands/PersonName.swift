import EventInput

/// How a command line names a person: an id as events have it, or a `#hash` that `check` prints.
///
/// So that neither can be taken for the other, an id that begins with `#` has one more before it:
/// `##7` is the id `#7`.
enum PersonName: Equatable {
  case id(String)
  case hash(IdentifierHash)

  static let help = "an id that begins with # is given with one more: '##7' for '#7'"

  /// - Throws: `CommandError` for a `#` that is neither.
  init(_ text: String) throws(CommandError) {
    guard text.hasPrefix("#") else {
      self = .id(text)
      return
    }
    let rest = text.dropFirst()
    if rest.hasPrefix("#") {
      self = .id(String(rest))
    } else if rest.utf8.count == 32, let high = UInt64(rest.prefix(16), radix: 16),
      let low = UInt64(rest.suffix(16), radix: 16)
    {
      self = .hash(IdentifierHash(high: high, low: low))
    } else {
      throw CommandError(
        "'\(text)' is no hash, which has 32 digits after #; \(PersonName.help)")
    }
  }

  /// The hashes that the person's facts may have, as of a user and of devices. Formats may put a
  /// word before a device's id; such a name is the device's without it.
  func hashes(_ key: IdentifierKey) -> (user: IdentifierHash, devices: Set<IdentifierHash>) {
    switch self {
    case .hash(let hash): (hash, [hash])
    case .id(let id):
      (
        key.hash(of: id, domain: .user),
        EventFormat.spellings(ofDevice: id).reduce(into: []) {
          $0.formUnion(key.deviceHashes(of: $1))
        }
      )
    }
  }
}
