/// Names in the order of their UTF-8 bytes: the same on every machine, whatever the language.
enum ByteOrder {
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  static func sorted(_ names: some Sequence<String>) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
