/// A value of an event's properties or context: anything that JSON can say.
///
/// Write literals: `["plan": "yearly", "price": 39.9, "is_trial": true]`.
public enum EventValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// A whole number; all digits are kept.
  case integer(Int64)
  /// A finite number; JSON has no other.
  case number(Double)
  /// `true` or `false`.
  case boolean(Bool)
  /// Values in order.
  case list([EventValue])
  /// Values by their names.
  case object([String: EventValue])
  /// No value.
  case null
}

extension EventValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a ``string(_:)`` of a literal such as `"yearly"`.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes an ``integer(_:)`` of a literal such as `3`.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a ``number(_:)`` of a literal such as `39.9`.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a ``boolean(_:)`` of `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Makes a ``null`` of `nil`.
  public init(nilLiteral: ()) { self = .null }
  /// Makes a ``list(_:)`` of a literal such as `["a", 1]`.
  public init(arrayLiteral elements: EventValue...) { self = .list(elements) }

  /// Of equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, EventValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension EventValue: Codable {
  /// Decodes any JSON; a number without a fraction is an ``integer(_:)`` if 64 bits hold it.
  ///
  /// - Throws: `DecodingError` for what no case can hold.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([EventValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: EventValue].self))
    }
  }

  /// Encodes the value as the JSON that it is.
  ///
  /// - Throws: `EncodingError` for a ``number(_:)`` that is not finite.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    case .null: try container.encodeNil()
    }
  }
}
