extension Flow {
  /// The id as the name of one folder that every file system takes: no path, nothing hidden, no
  /// name that a system keeps for itself.
  ///
  /// Letters of any script, digits, spaces, dots and most signs stay as they are; what a name can't
  /// have stands as `%` and two digits for each of its bytes, and so does `%` itself. Different ids
  /// have different names. Beyond 180 bytes a name ends in a hash of the id.
  package var folderName: String {
    var name = ""
    let scalars = Array(id.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      // A dot in front hides a folder or leads out of it; one at the end is lost on Windows.
      let isEdge =
        index == 0 && scalar == "."
        || index == scalars.count - 1 && (scalar == "." || scalar == " ")
      let isKept = !isEdge && Flow.isPlain(scalar) && !(index == 0 && Flow.isReserved(id))
      name += isKept ? String(scalar) : Flow.escaped(scalar)
    }
    guard name.utf8.count > 180 else { return name }
    var short = ""
    for character in name where short.utf8.count + character.utf8.count <= 160 {
      short.append(character)
    }
    return "\(short)-\(SHA256Digest.hexadecimal(id).prefix(16))"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if "/\\:*?\"<>|%".unicodeScalars.contains(scalar) { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return false
    default: return true
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }

  /// Names of devices on Windows, whatever follows a dot, and of the files that lie beside the
  /// folders.
  private static func isReserved(_ id: String) -> Bool {
    if ["index.html", "index.json"].contains(id.lowercased()) { return true }
    let stem = id.prefix { $0 != "." }.lowercased()
    if ["con", "prn", "aux", "nul"].contains(stem) { return true }
    let isNumbered = stem.hasPrefix("com") || stem.hasPrefix("lpt")
    return isNumbered && stem.count == 4 && stem.last?.isNumber == true
  }
}
