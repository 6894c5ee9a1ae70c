/// A text that events may also give as a whole number or a boolean: the number 42 is the text `42`.
struct EventLabel: Decodable {
  /// `nil` for JSON's null.
  let text: String?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      text = nil
    } else if let value = try? container.decode(Bool.self) {
      text = String(value)
    } else if let value = try? container.decode(Int64.self) {
      text = String(value)
    } else {
      text = try container.decode(String.self)
    }
  }
}
