import Foundation

/// Texts that mean a name (definitions 1.8).
enum Spelling {
  /// The one of some declared names that a text means.
  static func name(_ text: String, among names: [String]) -> String? {
    names.first { $0 == text } ?? names.first { isNumber($0) && means(text, $0) }
      ?? names.first { means(text, $0) }
  }

  /// Whether a text is the name or another spelling of it.
  static func means(_ text: String, _ name: String) -> Bool {
    if text == name { return true }
    if isNumber(name) { return whole(text) == name }
    guard let asked = truth(of: name) else { return false }
    return truth(of: text) == asked || letters[whole(text) ?? text] == asked
  }

  static func number(_ text: String) -> Int? { Int(text) ?? whole(text).flatMap { Int($0) } }

  private static func truth(of text: String) -> Bool? {
    guard [text.lowercased(), text.uppercased(), text.lowercased().capitalized].contains(text)
    else { return nil }
    return ["true": true, "false": false][text.lowercased()]
  }

  private static let letters: [String: Bool] = {
    var letters = ["1": true, "0": false]
    for (word, truth) in [("yes", true), ("no", false)] {
      for form in [word, word.uppercased(), word.capitalized] { letters[form] = truth }
    }
    for (letter, truth) in [("t", true), ("y", true), ("f", false), ("n", false)] {
      for form in [letter, letter.uppercased()] { letters[form] = truth }
    }
    return letters
  }()

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return text.utf8.count - digits.count < 2 && !digits.isEmpty
      && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// The digits before a point with up to six zeros behind it.
  private static func whole(_ text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, isNumber(parts[0]), 1...6 ~= parts[1].utf8.count,
      parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") })
    else { return nil }
    return parts[0]
  }

  /// A JSON literal of a value with another spelling, if it has one.
  static func another(_ literal: String, _ generator: inout SeededGenerator) -> String {
    let text = literal.hasPrefix("\"") ? String(literal.dropFirst().dropLast()) : literal
    let others: [String] =
      switch text {
      case "true": ["True", "TRUE", "yes", "t", "Y", "1", "1.0"]
      case "false": ["False", "FALSE", "no", "f", "N", "0", "0.0"]
      default: isNumber(text) ? [text + ".0", text + ".000"] : []
      }
    return others.isEmpty ? literal : "\"\(generator.pick(others, or: text))\""
  }
}
