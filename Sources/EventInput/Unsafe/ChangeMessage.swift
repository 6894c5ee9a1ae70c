/// A message of a change log: what happened to a row of a database, and the row.
///
///     {"before":null,"after":{…},"source":{…},"op":"c","ts_ms":…}     Debezium, or its `payload`
///     {"data":{…},"metadata":{"record-type":"data","operation":"insert",…}}     AWS DMS to Kafka
///     {"database":"app","table":"events","type":"insert","data":{…}}     Maxwell
///     {"database":"app","table":"events","type":"INSERT","data":[{…}]}     Canal
struct ChangeMessage {
  typealias Path = [EventContainer.Component]

  /// Where members in members say what happened.
  static let operations: Set<[String]> = [["payload", "op"], ["metadata", "operation"]]

  /// Where the row stands as it is since.
  let path: Path
  /// Where one that was deleted stands as it was.
  let deleted: Path
  /// Whether the message says that the row is gone.
  let isDeletion: Bool
  /// Whether it says that a row has changed which came before.
  let isUpdate: Bool
  /// Whether it is of no row: a table that was made or emptied, a mark in the log.
  let isOfNoRow: Bool

  /// `nil` for any other object.
  init?(_ look: ContainerSurvey.Look) {
    let keys = Set(look.members.keys)
    let operation = look.operation
    // An event says what happened by itself.
    guard EventContainer.eventKeys.isDisjoint(with: keys) else { return nil }
    if Self.isDebezium(keys) {
      self.init([.member("after")], deleted: [.member("before")], operation == "d", operation)
    } else if keys == ["schema", "payload"], Self.isDebezium(look.inner["payload"] ?? []) {
      let payload = EventContainer.Component.member("payload")
      self.init(
        [payload, .member("after")], deleted: [payload, .member("before")], operation == "d",
        operation)
    } else if look.inner["metadata"]?.isSuperset(of: ["record-type", "operation"]) == true {
      let row: Path = [.member("data")]
      self.init(
        row, deleted: row, operation == "delete", keys.contains("data") ? operation : "m")
    } else if keys.isSuperset(of: ["database", "table", "type", "data"]), let type = look.type {
      let isList = look.members["data"]?.first == UInt8(ascii: "[")
      let row: Path = isList ? [.member("data"), .each] : [.member("data")]
      let isEdge = ["bootstrap-start", "bootstrap-complete"].contains(type)
      self.init(row, deleted: row, type.lowercased() == "delete", isEdge ? "m" : type)
    } else {
      return nil
    }
  }

  private init(_ path: Path, deleted: Path, _ isDeletion: Bool, _ operation: String?) {
    (self.path, self.deleted, self.isDeletion) = (path, deleted, isDeletion)
    // Debezium's words for a table that was emptied, and for a message of the log.
    isOfNoRow = operation == "t" || operation == "m"
    isUpdate = ["u", "update"].contains(operation?.lowercased())
  }

  private static func isDebezium(_ keys: Set<String>) -> Bool {
    let isOfRow = keys.contains("after") || keys.contains("before") || keys.contains("message")
    return keys.contains("op") && keys.contains("source") && isOfRow
  }

  /// What a row is marked with of which a message says that it is gone, and that it was changed.
  static let (gone, changed) = ("d", "u")

  /// The rows that a message is of, as lines that are marked with what became of them; for a row
  /// that is gone at least the mark.
  static func rows(of message: [UInt8], at path: Path, marked fate: String) -> [UInt8] {
    let mark = Array("{\"__op\":\"\(fate)\"".utf8)
    var walker = unsafe ContainerWalker(path)
    var rows: [UInt8] = []
    unsafe message.withUnsafeBytes { unsafe walker.take($0, into: &rows) }
    var lines: [UInt8] = []
    for row in rows.split(separator: UInt8(ascii: "\n")) where row.first == UInt8(ascii: "{") {
      let inside = row.dropFirst()
      let isEmpty = inside.first { $0 > 0x20 } == UInt8(ascii: "}")
      lines += mark + (isEmpty ? [] : [UInt8(ascii: ",")]) + inside + [UInt8(ascii: "\n")]
    }
    // A log may say nothing but that it is gone.
    return lines.isEmpty && fate == gone ? mark + Array("}\n".utf8) : lines
  }
}
