/// Where another evaluation of a dump differs from the reference, and the smallest dump that
/// still shows it.
package enum Disagreement {
  /// Row by row, in order; empty where both agree.
  ///
  /// - Parameters:
  ///   - metrics: Only these metrics are compared; all of the reference's where `nil`.
  ///   - zeroIsAbsence: A row with a numerator of 0 is as good as none.
  package static func between(
    reference: [ReferenceRow], other: [ReferenceRow], metrics: Set<String>? = nil,
    zeroIsAbsence: Bool = false
  ) -> [String] {
    let compared = metrics ?? Set(reference.map(\.metric))
    func table(_ rows: [ReferenceRow]) -> [[String]: ReferenceRow] {
      let chosen = rows.filter { compared.contains($0.metric) }
      return Dictionary(chosen.map { ($0.key, $0) }) { first, _ in first }
    }
    let (expected, found) = (table(reference), table(other))
    let keys = Set(expected.keys).union(found.keys).sorted { $0.lexicographicallyPrecedes($1) }
    return keys.compactMap { key in
      guard expected[key] != found[key] else { return nil }
      let numerators = [expected[key], found[key]].compactMap { $0?.numerator }
      if zeroIsAbsence, numerators == [0] { return nil }
      return "\(key): reference \(numbers(expected[key])), other \(numbers(found[key]))"
    }
  }

  private static func numbers(_ row: ReferenceRow?) -> String {
    guard let row else { return "no row" }
    return "\(row.numerator)" + (row.denominator.map { "/\($0)" } ?? "")
  }

  /// As few of the lines as still fail, by leaving out ever smaller parts.
  package static func shrink(
    _ lines: [String], while fails: ([String]) throws -> Bool
  ) rethrows -> [String] {
    var kept = lines
    var size = max(1, kept.count / 2)
    while true {
      var start = 0
      var isSmaller = false
      while start < kept.count {
        let end = min(kept.count, start + size)
        let rest = Array(kept[..<start] + kept[end...])
        if try fails(rest) {
          kept = rest
          isSmaller = true
        } else {
          start = end
        }
      }
      if size == 1, !isSmaller { return kept }
      if size > 1 { size /= 2 }
    }
  }

  /// A ready-made case: paste it into Tests/Cases, say why, and keep the rows that matter.
  package static func caseText(
    flow: String, options: ReferenceOptions, lines: [String], rows: [ReferenceRow]
  ) -> String {
    var words = ["cohort=\(options.cohort.rawValue)"]
    let instants = [
      ("as-of", options.asOfMilliseconds), ("from", options.fromMilliseconds),
      ("to", options.toMilliseconds), ("history-from", options.historyFromMilliseconds),
    ]
    for (name, time) in instants {
      if let time { words.append("\(name)=\(RandomEvent.text(time))Z") }
    }
    let expected = rows.sorted().map { row in
      "\(row.metric)[\(row.step)] {\(slice(row))} = \(numbers(row))"
    }
    return
      (["why: ", "flow: \(flow)", "options: " + words.joined(separator: " "), "events:"]
      + lines.map { "  raw \($0)" } + ["----"] + expected).joined(separator: "\n")
  }

  private static func slice(_ row: ReferenceRow) -> String {
    var parts: [String] = []
    if row.version != "all" { parts.append("version=\(row.version)") }
    if row.experiment != "all" { parts.append("variant=\(row.experiment):\(row.variant)") }
    if row.cohort != "all" { parts.append("cohort=\(row.cohort)") }
    if row.breakdown != "all" { parts.append("breakdown=\(row.breakdown)") }
    return parts.joined(separator: ", ")
  }
}
