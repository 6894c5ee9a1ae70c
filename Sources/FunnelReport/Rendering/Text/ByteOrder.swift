/// Names in the order of their UTF-8 bytes: the same on every machine, whatever the language.
enum ByteOrder {
  static func sorted(_ names: some Sequence<String>) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
