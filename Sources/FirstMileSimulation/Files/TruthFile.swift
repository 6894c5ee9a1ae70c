import Foundation

/// Writes `truth.json`: sorted keys, and a row a line, so that two truths can be compared by eye.
enum TruthFile {
  static func json(_ truth: SimulationTruth) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let parts: [(key: String, value: Data)] = [
      ("chances", try rows(truth.chances, encoder)),
      ("days", try encoder.encode(truth.days)),
      ("flow", try encoder.encode(truth.flow)),
      ("horizonMilliseconds", try encoder.encode(truth.horizonMilliseconds)),
      ("incidents", try rows(truth.incidents, encoder)),
      ("lines", try encoder.encode(truth.lines)),
      ("metrics", try rows(truth.metrics, encoder)),
      ("notSimulated", try encoder.encode(truth.notSimulated)),
      ("persons", try encoder.encode(truth.persons)),
      ("schema", try encoder.encode(truth.schema)),
      ("seed", try encoder.encode(truth.seed)),
      ("startMilliseconds", try encoder.encode(truth.startMilliseconds)),
      ("times", try rows(truth.times, encoder)),
    ]
    var text = Data("{".utf8)
    for (index, part) in parts.enumerated() {
      text.append(Data("\(index == 0 ? "" : ",")\n\"\(part.key)\":".utf8))
      text.append(part.value)
    }
    text.append(Data("\n}\n".utf8))
    return text
  }

  private static func rows(_ rows: [some Encodable], _ encoder: JSONEncoder) throws -> Data {
    var text = Data("[".utf8)
    for (index, row) in rows.enumerated() {
      text.append(Data((index == 0 ? "\n" : ",\n").utf8))
      text.append(try encoder.encode(row))
    }
    text.append(Data("]".utf8))
    return text
  }
}
