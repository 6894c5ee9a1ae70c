/// The name of what is written beside a place until it is whole.
enum AsideName {
  /// What common file systems take for one name.
  static let maximumBytes = 255

  /// A path in the place's folder: the place's own name between `beginning` and `ending`. Of a name
  /// that would get too long a part is left out, and a hash of the whole stands for it.
  static func of(_ place: String, beginning: String = "", ending: String) -> String {
    let start = place.lastIndex(of: "/").map(place.index(after:)) ?? place.startIndex
    let (folder, name) = (place[..<start], place[start...])
    let room = maximumBytes - beginning.utf8.count - ending.utf8.count
    if name.utf8.count <= room { return "\(folder)\(beginning)\(name)\(ending)" }
    let mark = "~" + hash(name)
    var kept = String.UnicodeScalarView()
    var left = room - mark.utf8.count
    for scalar in name.unicodeScalars {
      left -= String(scalar).utf8.count
      if left < 0 { break }
      kept.append(scalar)
    }
    return "\(folder)\(beginning)\(String(kept))\(mark)\(ending)"
  }

  /// FNV-1a of 64 bits: two long names in one folder that begin alike are not beside each other.
  private static func hash(_ name: Substring) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
