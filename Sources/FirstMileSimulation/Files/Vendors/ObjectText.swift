/// A JSON object that grows member by member.
struct ObjectText {
  private var text: [UInt8] = [UInt8(ascii: "{")]

  /// The object as it stands.
  var bytes: [UInt8] { text + [UInt8(ascii: "}")] }
  var isEmpty: Bool { text.count == 1 }

  /// Adds a member whose value is JSON already; nothing for `nil`.
  mutating func add(_ name: String, _ value: [UInt8]?) {
    guard let value else { return }
    if text.count > 1 { text.append(UInt8(ascii: ",")) }
    text += Array(LineTables.quoted(name).utf8)
    text.append(UInt8(ascii: ":"))
    text += value
  }

  mutating func add(_ name: String, json: String) { add(name, Array(json.utf8)) }
  mutating func add(_ name: String, text: String) {
    add(name, Array(LineTables.quoted(text).utf8))
  }
}
