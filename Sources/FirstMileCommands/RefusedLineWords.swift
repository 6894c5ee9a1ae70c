import EventInput
import FlowDefinition

/// What to say where no line of a dump is an event: how the first one was read, what it lacks, and
/// what to do. Values are not repeated, for they may be personal.
struct RefusedLineWords {
  let line: RefusedLine
  private static let maximumKeys = 20

  /// Where nothing at all was read, there is no line to speak of.
  static func of(_ sample: DumpSampler.Sample) -> String {
    sample.refused.map { ". " + RefusedLineWords(line: $0).text } ?? ""
  }

  private var text: String {
    let name = HiddenScalars.escaped(line.source)
    let (kind, parts) = line.isRow ? ("row", "columns with a value") : ("line", "keys")
    return "'\(name)' was read as \(line.format.rawValue), and its first \(kind) \(lack)"
      + (line.keys.isEmpty ? "" : "; its \(parts) are \(keys)")
      + (advice.isEmpty ? "" : ". \(advice)") + (line.reason == .missingEvent ? lists : "")
  }

  private var lack: String {
    let words =
      switch line.reason {
      case .missingEvent: "names no event"
      case .missingTimestamp: "has no time"
      case .badTimestamp:
        "has a time that is \(line.detail)"
      case .timestampOutOfRange: "has a time that is \(line.detail)"
      case .missingID, .missingUserID, .missingDeviceID: "has no id of a person"
      case .notAnObject where line.isRow && !line.detail.isEmpty: line.detail
      // Where in a line its text ceases to be JSON helps nobody.
      case .malformedJSON where !line.detail.isEmpty && !line.detail.hasPrefix("at byte"),
        .notAnObject where !line.detail.isEmpty:
        "can't be used: \(line.detail)"
      case .malformedJSON, .notAnObject: "is no JSON object"
      default: "can't be used: \(line.reason.rawValue)"
      }
    return words + " (\(line.reason.rawValue))"
  }

  private var keys: String {
    let names = line.keys.prefix(Self.maximumKeys).map { "'\(HiddenScalars.escaped($0))'" }
    let more = line.keys.count - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// What to do where the events may be the items of a list.
  private var lists: String {
    guard let list = line.lists.first, !line.isRow else { return "" }
    let isPlain = list.utf8.allSatisfy { byte in
      let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
      return isLetter || byte &- UInt8(ascii: "0") < 10 || "_.".utf8.contains(byte)
    }
    let command = isPlain ? ": jq -c 'del(.\(list)) + .\(list)[]' FILE > events.ndjson" : ""
    return ". '\(HiddenScalars.escaped(list))' is a list, in which nothing is looked for: if its "
      + "items are the events, make a line of each\(command)"
  }

  private var advice: String {
    switch line.reason {
    case .badTimestamp:
      "docs/input.md lists the forms of times, such as 2026-01-21T10:00:00Z and milliseconds"
    case .missingEvent, .missingTimestamp, .missingID, .missingUserID, .missingDeviceID:
      "If they have other names there, "
        + (line.format == .table ? "" : "try '--format table', or ")
        + "write a flow file with 'fields:' (docs/formats.md lists what each format calls them)"
    case .invalidUTF8:
      "Text is read as UTF-8; if it is in an older encoding: iconv -f LATIN1 -t UTF-8 FILE"
    default: ""
    }
  }
}
