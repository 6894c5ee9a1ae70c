extension FormatReader {
  /// `EventFormat.AliasCalls` as leaves.
  struct Alias {
    var name: Int
    var names: [[UInt8]]
    var users: [Int]
    var devices: [Int]
    var others: [Int]
    var lists: [Int]

    /// - Parameter leaf: the leaf at a path.
    init?(_ calls: EventFormat.AliasCalls, _ leaf: ([String]?) -> Int?) {
      guard let name = leaf(calls.name) else { return nil }
      self.name = name
      names = calls.names.map { Array($0.utf8) }
      users = calls.users.compactMap(leaf)
      devices = calls.devices.compactMap(leaf)
      others = calls.others.compactMap(leaf)
      lists = calls.lists.compactMap(leaf)
    }
  }
}
