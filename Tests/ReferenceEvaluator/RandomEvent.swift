/// An event of a random dump, before it is text.
struct RandomEvent {
  var time: Int64
  var name: String
  var user: String?
  var device: String?
  /// Another id of the user.
  var previous: String?
  var flow: String?
  var session: String?
  var version: String?
  /// Experiment and variant.
  var variants: [String: String] = [:]
  /// Names inside `properties` and JSON literals.
  var properties: [String: String] = [:]
  /// Dotted paths from the root, outside `properties`, and JSON literals.
  var rootFields: [String: String] = [:]

  /// The line; the generator decides on spellings that mean the same.
  func json(_ generator: inout SeededGenerator) -> String {
    typealias Text = CaseEvent
    var fields = [("event", Text.quoted(name)), ("timestamp", timestamp(&generator))]
    if let user {
      let isNumber = user.allSatisfy(\.isNumber) && generator.chance(50)
      fields.append(("user_id", isNumber ? user : Text.quoted(user)))
    } else if generator.chance(20) {
      fields.append(("user_id", generator.pick(["null", "\"\"", "true", "0"], or: "null")))
    }
    if let device {
      fields.append(("device_id", Text.quoted(device)))
    } else if generator.chance(20) {
      fields.append(("device_id", "\"00000000-0000-0000-0000-000000000000\""))
    }
    if let previous { fields.append(("previous_id", Text.quoted(previous))) }
    if generator.chance(50) { fields.append(("message_id", "\"m\(generator.below(1_000_000))\"")) }
    if let flow { fields.append(("flow", Text.quoted(flow))) }
    if let session { fields.append(("session_id", Text.quoted(session))) }
    if let version {
      fields.append(("flow_version", spelled(Text.quoted(version), &generator)))
    }
    fields += variantFields(&generator)
    var own = properties.sorted { $0.key < $1.key }.map {
      ($0.key, spelled($0.value, &generator))
    }
    if generator.chance(10) { own.append(("colour", "\"c\(generator.below(3))\"")) }
    if !own.isEmpty { fields.append(("properties", Text.object(own))) }
    for (key, value) in Self.nested(rootFields) { fields.append((key, value)) }
    fields.shuffle(using: &generator)
    return Text.object(fields)
  }

  private func variantFields(_ generator: inout SeededGenerator) -> [(String, String)] {
    var map = variants.sorted { $0.key < $1.key }.map {
      ($0.key, spelled(CaseEvent.quoted($0.value), &generator))
    }
    var fields: [(String, String)] = []
    if let last = map.last, generator.chance(40) {
      map.removeLast()
      fields = [("experiment", CaseEvent.quoted(last.0)), ("variant", last.1)]
    }
    if !map.isEmpty || generator.chance(5) { fields.append(("experiments", CaseEvent.object(map))) }
    return fields
  }

  /// Some values as another program would write them.
  private func spelled(_ literal: String, _ generator: inout SeededGenerator) -> String {
    generator.chance(8) ? Spelling.another(literal, &generator) : literal
  }

  /// `context.a.b` and `context.c` as one object.
  private static func nested(_ fields: [String: String]) -> [(String, String)] {
    var leaves: [(String, String)] = []
    var groups: [String: [String: String]] = [:]
    for (path, value) in fields {
      let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
      if parts.count == 2 {
        groups[parts[0], default: [:]][parts[1]] = value
      } else {
        leaves.append((path, value))
      }
    }
    let objects = groups.map { ($0.key, CaseEvent.object(nested($0.value))) }
    return (leaves + objects).sorted { $0.0 < $1.0 }
  }

  private func timestamp(_ generator: inout SeededGenerator) -> String {
    switch generator.below(4) {
    case 0 where time % 1000 == 0: return "\(time / 1000)"
    case 1: return "\"\(Self.text(time))Z\""
    case 2: return "\"\(Self.text(time + 7_200_000))+02:00\""
    default: return "\(time)"
    }
  }

  /// RFC 3339 without offset; days to dates by Hinnant's `civil_from_days`.
  static func text(_ time: Int64) -> String {
    let days = time / ReferenceTime.day + 719_468
    let era = days / 146_097
    let ofEra = days - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let shifted = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let rest = time % ReferenceTime.day
    func two(_ number: Int64) -> String { String(String(100 + number).suffix(2)) }
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map(two)
    let calendar = "\(year + era * 400 + (month <= 2 ? 1 : 0))-\(two(month))-\(two(date))"
    let thousandths = String(String(1000 + rest % 1000).suffix(3))
    return "\(calendar)T\(clock.joined(separator: ":")).\(thousandths)"
  }
}
