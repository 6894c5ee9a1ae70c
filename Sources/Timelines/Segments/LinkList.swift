internal import EventInput

/// Pairs of users who are one person, as bytes: 40 each, both hashes (high half first) and the
/// first moment at which an event linked them.
enum LinkList {
  private static let linkBytes = 40

  /// Each pair once, with the earliest moment, in a fixed order.
  static func merged(_ links: [UserLink]) -> [UserLink] {
    var moments: [LinkedUsers: Int64] = [:]
    for link in links { moments.note(link) }
    return moments.map {
      UserLink(user: $0.key.first, other: $0.key.second, timeMilliseconds: $0.value)
    }.sorted { $0.user != $1.user ? $0.user < $1.user : $0.other < $1.other }
  }

  static func bytes(_ links: [UserLink]) -> [UInt8] {
    var bytes: [UInt8] = []
    for link in links {
      bytes.append(link.user)
      bytes.append(link.other)
      bytes.append(littleEndian: link.timeMilliseconds)
    }
    return bytes
  }

  /// - Throws: `StoredDamage` where bytes make no sense.
  static func links(_ bytes: [UInt8], count: Int) throws(StoredDamage) -> [UserLink] {
    guard bytes.count.isMultiple(of: linkBytes), count == bytes.count / linkBytes else {
      throw StoredDamage()
    }
    return (0..<count).map { number in
      func word(_ place: Int) -> UInt64 {
        let start = number * linkBytes + place * 8
        return bytes[start..<start + 8].littleEndianNumber
      }
      return UserLink(
        user: IdentifierHash(high: word(0), low: word(1)),
        other: IdentifierHash(high: word(2), low: word(3)),
        timeMilliseconds: Int64(bitPattern: word(4)))
    }
  }
}
