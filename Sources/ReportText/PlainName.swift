/// Names that programs write, as people say them: `already_used` → `already used`.
///
/// Files for programs keep the names as they are; pages, Markdown and terminals say these.
package enum PlainName {
  /// Small letters and digits with underscores between them become words; any other name is taken
  /// for what somebody chose to write, such as `en_US` or `iOS 26.1`.
  package static func of(_ name: String) -> String {
    if let answer = answers[name] { return answer }
    let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPlain) }),
      parts.first?.first.map(isLetter) == true
    else { return name }
    return String(name.map { $0 == "_" ? " " : $0 })
  }

  /// Of several that stand side by side: names that would become the same words stay as they are.
  package static func of(_ names: [String], saying words: (String) -> String = of) -> [String] {
    let plain = names.map(words)
    let counts = Dictionary(plain.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(names, plain).map { counts[$1] == 1 ? $1 : $0 }
  }

  private static let answers = ["true": "yes", "false": "no"]

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
