import Foundation

/// An event of a case, `+15s u1@d1 view plan os=iOS`, as a canonical NDJSON line.
struct CaseEvent {
  /// 2026-01-05T00:00:00Z, a Monday: where offsets begin.
  static let origin: Int64 = 1_767_571_200_000

  let json: String

  init?(_ line: String) {
    if line.hasPrefix("raw ") {
      json = String(line.dropFirst(4))
      return
    }
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard words.count >= 3, let time = Self.time(words[0]) else { return nil }
    var fields: [(String, String)] = [("timestamp", "\(time)")]
    let ids = words[1].split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    if !ids[0].isEmpty { fields.append(("user_id", Self.quoted(ids[0]))) }
    if ids.count == 2 { fields.append(("device_id", Self.quoted(ids[1]))) }
    var properties: [(String, String)] = []
    var experiments: [(String, String)] = []
    var context: [(String, String)] = []
    let event = words[2]
    words.removeFirst(3)
    let bare = words.filter { !$0.contains("=") }
    guard let (name, own) = Self.shorthand(event, bare) else { return nil }
    fields.append(("event", Self.quoted(name)))
    properties += own
    for word in words where word.contains("=") {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (key, value) = (String(pair[0]), String(pair[1]))
      switch key {
      case "flow": fields.append(("flow", Self.quoted(value)))
      case "version": fields.append(("flow_version", Self.quoted(value)))
      case "session": fields.append(("session_id", Self.quoted(value)))
      case "previous": fields.append(("previous_id", Self.quoted(value)))
      case "id": fields.append(("message_id", Self.quoted(value)))
      case "variant", "single":
        let names = value.split(separator: ":", maxSplits: 1).map(String.init)
        guard names.count == 2 else { return nil }
        if key == "variant" {
          experiments.append((names[0], Self.quoted(names[1])))
        } else {
          fields += [
            ("experiment", Self.quoted(names[0])), ("variant", Self.quoted(names[1])),
          ]
        }
      default:
        if key.hasPrefix("context.") {
          context.append((String(key.dropFirst(8)), Self.literal(value)))
        } else {
          properties.append((key, Self.literal(value)))
        }
      }
    }
    if !experiments.isEmpty { fields.append(("experiments", Self.object(experiments))) }
    if !properties.isEmpty { fields.append(("properties", Self.object(properties))) }
    if !context.isEmpty { fields.append(("context", Self.object(context))) }
    json = Self.object(fields)
  }

  /// The event's name and the properties that its bare words stand for.
  private static func shorthand(
    _ event: String, _ words: [String]
  ) -> (String, [(String, String)])? {
    func page(_ key: String) -> [(String, String)] {
      words.first.map { [($0.allSatisfy(\.isNumber) ? "page_number" : key, literal($0))] } ?? []
    }
    switch event {
    case "started": return ("onboarding_started", [])
    case "view": return ("onboarding_page_viewed", page("page_name"))
    case "stepskip": return ("onboarding_step_skipped", page("page_name"))
    case "skip":
      return ("onboarding_skipped", words.first.map { [("skipped_at_page", literal($0))] } ?? [])
    case "finish": return ("onboarding_completed", [("completion_method", quoted("finished"))])
    case "finish_skipped":
      return ("onboarding_completed", [("completion_method", quoted("skipped"))])
    case "prompt":
      return ("permission_prompted", words.first.map { [("permission", quoted($0))] } ?? [])
    case "result":
      guard words.count == 2 else { return nil }
      return (
        "permission_result", [("permission", quoted(words[0])), ("status", quoted(words[1]))]
      )
    default: return words.isEmpty ? (event, []) : nil
    }
  }

  /// `+1d2h`, `-5m`, `+24h1ms`, or an RFC 3339 instant.
  static func time(_ text: String) -> Int64? {
    guard let sign = text.first, sign == "+" || sign == "-" else {
      return text.contains("T") ? ReferenceTime.milliseconds(text) : nil
    }
    let units: [String: Int64] = [
      "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1,
    ]
    var total: Int64 = 0
    for match in text.dropFirst().matches(of: #/(\d+)(ms|d|h|m|s)?/#) {
      total += (Int64(match.output.1) ?? 0) * (units[String(match.output.2 ?? "ms")] ?? 1)
    }
    return origin + (sign == "-" ? -total : total)
  }

  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Whole numbers, true, false and null stand for themselves; all else is text.
  static func literal(_ value: String) -> String {
    if ["true", "false", "null"].contains(value) || value.wholeMatch(of: #/-?[0-9]+/#) != nil {
      return value
    }
    return value.hasPrefix("\"") ? value : quoted(value)
  }

  static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
