/// Counts with their nouns: `1 fact`, `2 facts`, `42,973 facts`.
public enum CountText {
  /// - Parameter noun: in the singular; its plural takes an s.
  public static func of(_ count: Int, _ noun: String) -> String {
    "\(NumberText.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }
}
