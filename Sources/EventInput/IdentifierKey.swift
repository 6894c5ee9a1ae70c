/// The secret that ids are hashed with.
///
/// One key gives the same hashes on every machine; a store has a random key of its own, so
/// that its hashes can't be looked up from a list of known ids.
public struct IdentifierKey: Sendable {
  let user: SipHash
  private(set) var device: SipHash
  let session: SipHash

  /// A key from 16 bytes; fewer are filled up with zeros, more are left out.
  public init(bytes: [UInt8]) {
    let padded = bytes + Array(repeating: 0, count: 16)
    let root = SipHash(
      key0: Self.littleEndianWord(padded[0..<8]), key1: Self.littleEndianWord(padded[8..<16]))
    user = Self.derived(from: root, label: "user")
    device = Self.derived(from: root, label: "device")
    session = Self.derived(from: root, label: "session")
  }

  /// The documented key of runs without a store or a key file: the ASCII bytes of
  /// `FirstMile/ids/v1`.
  public static let fixed = IdentifierKey(bytes: Array("FirstMile/ids/v1".utf8))

  /// A name that is different for each key and reveals nothing about the key.
  public var name: String {
    let hash = hash(of: "FirstMile/key-name/v1", domain: .user)
    let digits = String(hash.high, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A key for formats in which one id names a person before and after they sign in
  /// (`EventFormat.MixedIdentity`): equal ids of users and devices have equal hashes.
  var inOneSpace: IdentifierKey {
    var key = self
    key.device = user
    return key
  }

  /// The hashes that devices with this id have, in whichever format.
  public func deviceHashes(of id: String) -> Set<IdentifierHash> {
    [hash(of: id, domain: .device), hash(of: id, domain: .user)]
  }

  /// The hash that the scanner gives this id text; `.missing` for "" and for placeholders.
  ///
  /// For sessions `high` is 0 and `low` is the 24-bit hash of `EventBatch.sessions`.
  public func hash(of id: String, domain: IdentifierDomain) -> IdentifierHash {
    hash(of: Array(id.utf8), domain: domain)
  }

  /// The hash of an id that is given as its bytes.
  public func hash(of id: [UInt8], domain: IdentifierDomain) -> IdentifierHash {
    unsafe id.withUnsafeBytes { unsafe hash(of: $0, domain: domain) }
  }

  package func hash(
    of id: UnsafeRawBufferPointer, domain: IdentifierDomain
  ) -> IdentifierHash {
    guard unsafe !Self.isMissing(id) else { return .missing }
    switch domain {
    case .user: return unsafe userHash(id)
    case .device: return unsafe deviceHash(id)
    case .session: return unsafe IdentifierHash(high: 0, low: UInt64(sessionHash(id)))
    }
  }

  /// Whether a text is no id: "" or a placeholder (definitions 3.1).
  @inline(__always)
  static func isMissing(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.isEmpty || PlaceholderIdentifier.of(bytes) != nil
  }

  static func isMissing(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe isMissing(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  func userHash(_ bytes: UnsafeRawBufferPointer) -> IdentifierHash {
    unsafe Self.notMissing(user.hash(bytes))
  }

  @inline(__always)
  func deviceHash(_ bytes: UnsafeRawBufferPointer) -> IdentifierHash {
    unsafe Self.notMissing(device.hash(bytes))
  }

  /// 24 bits are enough to tell a person's neighbouring sessions apart: one of 17 million pairs is
  /// taken for one session. 0 stays free for "no session".
  @inline(__always)
  func sessionHash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    unsafe Self.session(session.hash(bytes))
  }

  @inline(__always)
  static func session(_ hash: SipHash.Hash) -> UInt32 {
    let hash = UInt32(truncatingIfNeeded: hash.low) & 0xFF_FFFF
    return hash == 0 ? 1 : hash
  }

  /// No id may hash to the value that stands for "no id".
  @inline(__always)
  static func notMissing(_ hash: (low: UInt64, high: UInt64)) -> IdentifierHash {
    IdentifierHash(high: hash.high, low: hash.low | (hash.low | hash.high == 0 ? 1 : 0))
  }

  /// Users, devices and sessions have keys of their own, so that equal ids have unequal hashes.
  private static func derived(from root: SipHash, label: String) -> SipHash {
    unsafe Array(label.utf8).withUnsafeBytes { bytes in
      let words = unsafe root.hash(bytes)
      return SipHash(key0: words.low, key1: words.high)
    }
  }

  private static func littleEndianWord(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
