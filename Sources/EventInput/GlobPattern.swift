/// A file pattern: `*` and `?` within a name, `[a-z]` and `[!a-z]` for one character, `**` for any
/// number of folders. A name that begins with a dot is matched only by a pattern that does.
struct GlobPattern {
  let components: [String]
  let isAbsolute: Bool

  static func isPattern(_ text: String) -> Bool {
    text.contains { "*?[".contains($0) }
  }

  init(_ text: String) {
    isAbsolute = text.hasPrefix("/")
    components = text.split(separator: "/").map(String.init)
  }

  /// Whether one name of a path matches one component of a pattern; a byte that is no UTF-8 is one
  /// character.
  static func matches(_ bytes: [UInt8], _ component: String) -> Bool {
    let name = InputPath.argument(bytes)
    if name.hasPrefix(".") && !component.hasPrefix(".") { return false }
    return matches(Array(name.unicodeScalars)[...], Array(component.unicodeScalars)[...])
  }

  private static func matches(
    _ name: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    var (name, pattern) = (name, pattern)
    // Where to resume after the last star: it takes one more character at each failure.
    var retry: (name: ArraySlice<Unicode.Scalar>, pattern: ArraySlice<Unicode.Scalar>)?
    while true {
      if pattern.first == "*" {
        pattern = pattern.dropFirst()
        retry = (name, pattern)
        continue
      }
      if let scalar = name.first, let rest = matchOne(scalar, pattern) {
        name = name.dropFirst()
        pattern = rest
        continue
      }
      if name.isEmpty && pattern.isEmpty { return true }
      guard let last = retry, !last.name.isEmpty else { return false }
      retry = (last.name.dropFirst(), last.pattern)
      name = last.name.dropFirst()
      pattern = last.pattern
    }
  }

  /// The rest of the pattern if its head matches the character.
  private static func matchOne(
    _ scalar: Unicode.Scalar, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar>? {
    guard let head = pattern.first else { return nil }
    if head == "?" { return pattern.dropFirst() }
    if head == "[", let (isIn, rest) = matchSet(scalar, pattern.dropFirst()) {
      return isIn ? rest : nil
    }
    return head == scalar ? pattern.dropFirst() : nil
  }

  /// A bracket without its closing one is an ordinary character (`nil`).
  private static func matchSet(
    _ scalar: Unicode.Scalar, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> (Bool, ArraySlice<Unicode.Scalar>)? {
    var set = pattern
    let isNegated = set.first == "!" || set.first == "^"
    if isNegated { set = set.dropFirst() }
    var isIn = false
    var isFirst = true
    while let low = set.first {
      if low == "]" && !isFirst { return (isIn != isNegated, set.dropFirst()) }
      isFirst = false
      let rest = set.dropFirst()
      if rest.first == "-", let high = rest.dropFirst().first, high != "]" {
        if low <= scalar && scalar <= high { isIn = true }
        set = rest.dropFirst(2)
      } else {
        if low == scalar { isIn = true }
        set = rest
      }
    }
    return nil
  }
}
