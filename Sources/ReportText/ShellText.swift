internal import FlowDefinition

/// Words as a shell takes them: a command line that is printed can be copied.
public enum ShellText {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-".unicodeScalars)

  /// One word of a command line.
  public static func word(_ text: String) -> String {
    let scalars = text.unicodeScalars
    if !text.isEmpty, scalars.allSatisfy(plain.contains) { return text }
    let isHidden = scalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    guard isHidden || HiddenScalars.escaped(text) != text else {
      return "'"
        + text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
    }
    // What a reader could not see is written by its bytes.
    let bytes = text.utf8.map { byte in
      (0x20..<0x7F).contains(byte) && byte != 0x27 && byte != 0x5C
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "$'" + bytes.joined() + "'"
  }
}
