/// Texts in YAML that is written as text, with comments.
package enum YAMLQuoting {
  /// A text in double quotes, as YAML reads it.
  package static func quoted(_ name: String) -> String {
    var quoted = "\""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      // What ends a line in YAML, may not stand in it, or would show another text than it is.
      case _ where HiddenScalars.contains(scalar):
        let digits = String(scalar.value, radix: 16)
        let isLong = digits.count > 4
        quoted += isLong ? "\\U" : "\\u"
        quoted += String(repeating: "0", count: (isLong ? 8 : 4) - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
