extension FormatReader {
  /// `EventFormat.AliasCalls` as leaves. An object, lest each event copy its lists.
  final class Alias {
    /// Where the event's name may stand.
    let name: [Int]
    let names: [[UInt8]]
    let users: [Int]
    let devices: [Int]
    let others: [Int]
    let lists: [Int]
    /// A bit for each length that a name has.
    private let lengths: UInt64

    /// - Parameter leaf: the leaf at a path.
    init?(_ calls: EventFormat.AliasCalls, _ leaf: ([String]?) -> Int?) {
      name = calls.name.compactMap(leaf)
      guard !name.isEmpty else { return nil }
      let names = calls.names.map { Array($0.utf8) }
      self.names = names
      lengths = names.reduce(0) { $0 | 1 << UInt64($1.count) }
      users = calls.users.compactMap(leaf)
      devices = calls.devices.compactMap(leaf)
      others = calls.others.compactMap(leaf)
      lists = calls.lists.compactMap(leaf)
    }

    /// Whether this is the name or type of such a call; of nearly all events it has another length.
    func isNamed(_ name: UnsafeRawBufferPointer) -> Bool {
      name.count < UInt64.bitWidth && lengths >> UInt64(name.count) & 1 == 1
        && names.contains { unsafe name.elementsEqual($0) }
    }
  }
}
