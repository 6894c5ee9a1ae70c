// Data that name their own schemas come under the names by which the reader finds them.
extension JSONFlattener {
  /// More entities of one schema are hardly names of anything.
  private static let maximumEntities = 8

  /// Reads a column of such data; false, at the place where it began, if it holds anything else.
  mutating func readDescribed(_ column: String, _ prefix: String, depth: Int) -> Bool {
    let start = cursor.place
    if cursor.byte == UInt8(ascii: "\"") {
      guard let text = cursor.string() else { return false }
      var inside = JSONFlattener(Array(text.utf8), self)
      if inside.described(column, prefix, depth: depth) {
        merge(inside)
        return true
      }
    } else if described(column, prefix, depth: depth) {
      return true
    }
    cursor.place = start
    return false
  }

  /// An object with a schema and data, which are a list of such objects or one.
  private mutating func described(_ column: String, _ prefix: String, depth: Int) -> Bool {
    guard let data = cursor.memberPlaces()?["data"] else { return false }
    let end = cursor.place
    cursor.place = data
    defer { cursor.place = end }
    if cursor.byte == UInt8(ascii: "{") {
      var counts: [String: Int] = [:]
      return item(column, prefix, &counts, depth: depth + 1)
    }
    guard cursor.take(UInt8(ascii: "[")) else { return false }
    if cursor.take(UInt8(ascii: "]")) { return true }
    var counts: [String: Int] = [:]
    repeat {
      cursor.skipSpace()
      guard item(column, prefix, &counts, depth: depth + 2) else { return false }
    } while cursor.take(UInt8(ascii: ","))
    return true
  }

  /// What one schema describes. What is no such object is passed over, as the reader does.
  private mutating func item(
    _ column: String, _ prefix: String, _ counts: inout [String: Int], depth: Int
  ) -> Bool {
    let start = cursor.place
    guard let places = cursor.memberPlaces() else {
      cursor.place = start
      return cursor.pass()
    }
    let end = cursor.place
    defer { cursor.place = end }
    guard let data = places["data"] else { return true }
    var path = "\(column).data.data"
    if let schema = places["schema"] {
      cursor.place = schema
      if let uri = cursor.string(), let bytes = SchemaName.member(prefix, Array(uri.utf8)) {
        let member = String(decoding: bytes, as: UTF8.self)
        path = Self.path(ofItem: counts[member, default: 0], in: member, reach)
        counts[member, default: 0] += 1
      }
    }
    cursor.place = data
    return value(path: path, depth: depth)
  }

  /// The items of a list of entities, each under its number.
  mutating func entities(path: String, depth: Int) -> Bool {
    var number = 0
    repeat {
      if number < Self.maximumEntities {
        let path = Self.path(ofItem: number, in: path, reach)
        guard value(path: path, depth: depth + 1) else { return false }
      } else if !cursor.pass() {
        return false
      }
      number += 1
    } while cursor.take(UInt8(ascii: ","))
    return cursor.take(UInt8(ascii: "]"))
  }

  private static func path(ofItem number: Int, in list: String, _ reach: Depth) -> String {
    number == 0 || reach == .everything ? list : "\(list)[\(number)]"
  }
}

extension JSONCursor {
  /// Where the values of an object's members begin, by key; `nil` where no whole object stands.
  fileprivate mutating func memberPlaces() -> [String: Int]? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var places: [String: Int] = [:]
    if take(UInt8(ascii: "}")) { return places }
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      places[key] = place
      guard pass() else { return nil }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? places : nil
  }
}
