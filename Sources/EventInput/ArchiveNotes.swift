/// Members of archives in which systems keep how a folder looked, beside what people put there.
enum ArchiveNotes {
  private static let names: Set<String> = [".ds_store", "thumbs.db", "desktop.ini"]

  /// - Parameter name: of a member, with its folders.
  static func areIn(_ name: String) -> Bool {
    let last = name.split { $0 == "/" || $0 == "\\" }.last.map { $0.lowercased() } ?? ""
    return names.contains(last) || last.hasPrefix("._") || name.hasPrefix("__MACOSX/")
  }
}
