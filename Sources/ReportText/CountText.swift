/// Counts with their nouns: `1 fact`, `2 facts`.
public enum CountText {
  /// - Parameter noun: in the singular; its plural takes an s.
  public static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
