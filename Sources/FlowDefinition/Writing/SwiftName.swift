/// Names of a flow file as names of Swift code.
///
/// Two names may become one (`sign-in` and `sign_in`): the later one gets a number. The texts
/// themselves stay in string literals, so that no event changes its name.
struct SwiftName {
  private var taken: Set<String>

  /// - Parameter taken: names that stand in the same scope already.
  init(taken: Set<String> = []) {
    self.taken = taken
  }

  /// `value_proposition` → `valueProposition`, `A` → `a`, `2fa` → `_2fa`; keywords in backticks.
  mutating func member(_ text: String) -> String {
    let words = SwiftName.words(text)
    let joined = words.enumerated().map { index, word in
      index == 0 ? SwiftName.lowered(word) : SwiftName.capitalised(word)
    }.joined()
    let name = unused(SwiftName.begun(joined))
    return SwiftName.keywords.contains(name) ? "`\(name)`" : name
  }

  /// `aiq` → `Aiq`, `sign-up` → `SignUp`.
  mutating func type(_ text: String, ending: String) -> String {
    unused(
      SwiftName.begun(SwiftName.words(text).map(SwiftName.capitalised).joined()) + ending)
  }

  /// A literal with the text in it, whatever the text.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\" + String(scalar)
      case _ where scalar.value < 32 || scalar.value == 127 || isHidden(scalar):
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// One line for a comment: nothing in it can end the comment or hide what follows.
  static func comment(_ text: String) -> String {
    HiddenScalars.escaped(text)
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    HiddenScalars.escaped(String(scalar)) != String(scalar)
  }

  private mutating func unused(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }

  private static func begun(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "unnamed" }
    return ("0"..."9").contains(first) ? "_" + name : name
  }

  /// Runs of ASCII letters and digits; everything else parts words.
  private static func words(_ text: String) -> [Substring] {
    text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
  }

  private static func capitalised(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// A word of capitals alone is an abbreviation, and small at the beginning of a name.
  private static func lowered(_ word: Substring) -> String {
    word == word.uppercased()[...]
      ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
  }

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
