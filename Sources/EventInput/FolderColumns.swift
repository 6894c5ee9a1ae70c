/// Columns that the names of folders hold: in `lake/dt=2026-01-05/variant=B/part-0.parquet` all
/// rows have the variant B, which stands nowhere else.
struct FolderColumns: Equatable {
  /// The columns, by their names; of a name that is there twice the inner folder's.
  private(set) var values: [String: String] = [:]

  /// What Hive writes for a value that is missing.
  private static let missing = "__HIVE_DEFAULT_PARTITION__"

  static let none = FolderColumns()

  private init() {}

  /// Those of the folders that lead to a source, as it was named.
  init(of source: InputSource) {
    let path: String?
    switch source.kind {
    case .file(let file): path = String(validating: file.bytes, as: UTF8.self)
    case .remote(let object): path = object.name
    case .standardInput, .memory: path = nil
    }
    for folder in (path ?? "").split(separator: "/").dropLast() {
      guard let sign = folder.firstIndex(of: "="), sign > folder.startIndex else { continue }
      let value = PercentEncoding.decode(folder[folder.index(after: sign)...])
      let name = PercentEncoding.decode(folder[..<sign])
      values[name] = value == Self.missing || value.isEmpty ? nil : value
    }
  }

  /// Whether one of them holds the names of events.
  var nameEvents: Bool { values.keys.contains { EventNames.events.contains($0.lowercased()) } }

  /// The value of the column at a place in an event. Names of columns know no capitals.
  func value(at path: [String]) -> String? {
    guard path.count == 1, !values.isEmpty else { return nil }
    if let value = values[path[0]] { return value }
    let alike = values.filter { $0.key.lowercased() == path[0].lowercased() }
    return alike.min { $0.key < $1.key }?.value
  }
}
