/// What else a text may be that means a name (definitions 1.8).
///
/// Dumps say the same value in several ways: a column of a table has texts only, pandas writes 5 as
/// `5.0` where another row has no value, and programs spell truth values as they like. A name of a
/// flow file is looked for under all of them.
public enum NameSpellings {
  /// The other spellings of a name, in a fixed order: of a whole number with up to six zeros behind
  /// a point, of a truth value all that stand for it. Empty for every other name.
  public static func others(of name: String) -> [String] {
    if isWholeNumber(name) { return zeros.map { name + $0 } }
    for (words, others) in [(trueWords, otherTrue), (falseWords, otherFalse)]
    where words.contains(name) {
      return words.filter { $0 != name } + others
    }
    return []
  }

  /// The whole number that a text spells with zeros behind a point; `nil` for every other text.
  public static func wholeNumber(spelledBy text: String) -> String? {
    guard text.utf8.last == UInt8(ascii: "0"), let point = text.firstIndex(of: ".") else {
      return nil
    }
    let (number, zeros) = (String(text[..<point]), text[text.index(after: point)...])
    return isWholeNumber(number) && zeros.utf8.count <= 6 && zeros.allSatisfy { $0 == "0" }
      ? number : nil
  }

  /// The truth value that a text spells; `nil` for a text that never means one.
  public static func truthValue(spelledBy text: String) -> Bool? {
    if trueWords.contains(text) || otherTrue.contains(text) { return true }
    return falseWords.contains(text) || otherFalse.contains(text) ? false : nil
  }

  /// Whether a name is a number that has other spellings.
  static func isWholeNumber(_ name: String) -> Bool {
    let digits = name.utf8.first == UInt8(ascii: "-") ? name.utf8.dropFirst() : name.utf8[...]
    return !digits.isEmpty && digits.allSatisfy { (48...57).contains($0) }
  }

  private static let zeros = (1...6).map { "." + String(repeating: "0", count: $0) }
  private static let trueWords = ["true", "True", "TRUE"]
  private static let falseWords = ["false", "False", "FALSE"]
  private static let otherTrue =
    ["t", "T", "y", "Y", "yes", "Yes", "YES", "1"] + zeros.map { "1" + $0 }
  private static let otherFalse =
    ["f", "F", "n", "N", "no", "No", "NO", "0"] + zeros.map { "0" + $0 }
}
