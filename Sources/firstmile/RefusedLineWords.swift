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
      + (advice.isEmpty ? "" : ". \(advice)")
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

  private var advice: String {
    switch line.reason {
    case .badTimestamp:
      "docs/input.md lists the forms of times, such as 2026-01-21T10:00:00Z and milliseconds"
    case .missingEvent, .missingTimestamp, .missingID, .missingUserID, .missingDeviceID:
      "If they have other names there, try '--format table', or write a flow file with 'fields:' "
        + "(docs/formats.md lists what each format calls them)"
    default: ""
    }
  }
}
