/// Looks from files and folders upwards for a table that they are parts of.
struct LakeSearch {
  /// What each folder was found to be.
  private var known: [InputPath: String?] = [:]
  private var named: Set<InputPath> = []

  /// The table that a file or folder is a part of.
  ///
  /// - Returns: the table, what is wrong with reading a part of it, and whether it is returned for
  ///   the first time; `nil` where there is none, and for a file that stands for a table itself.
  mutating func table(
    above path: InputPath, icebergIsRead: Bool
  ) -> (folder: InputPath, advice: String, isNew: Bool)? {
    if IcebergTable(metadata: path) != nil { return nil }
    let given = path.names
    let whole = path.absolute.names
    let folders = Self.plain(whole)
    // As it was written, where the way to it can be cut anywhere.
    let isPlain = folders == whole && path.bytes.first != UInt8(ascii: "/")
    for count in stride(from: folders.count - 1, to: 0, by: -1) {
      let folder = InputPath(bytes: [47] + folders[..<count].joined(separator: [47]))
      if known[folder] == nil {
        known[folder] = LakeTable.adviceOnParts(folder, icebergIsRead: icebergIsRead)
      }
      guard let advice = known[folder] ?? nil else { continue }
      let own = count - (whole.count - given.count)
      let shown =
        isPlain && own > 0 ? InputPath(bytes: Array(given[..<own].joined(separator: [47]))) : folder
      return (shown, advice, named.insert(folder).inserted)
    }
    return nil
  }

  /// The names of a path without those that lead nowhere, or back.
  private static func plain(_ names: [[UInt8]]) -> [[UInt8]] {
    names.reduce(into: []) { plain, name in
      if name.elementsEqual("..".utf8) {
        _ = plain.popLast()
      } else if !name.elementsEqual(".".utf8) {
        plain.append(name)
      }
    }
  }
}

extension InputPath {
  /// What stands between the slashes.
  fileprivate var names: [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
  }
}
