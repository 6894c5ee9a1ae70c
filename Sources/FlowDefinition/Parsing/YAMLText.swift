internal import Yams

/// YAML text → node tree with positions. Everything that isn't YAML is reported here.
enum YAMLText {
  /// Larger files are no flow files, and libraries deserve a bound.
  static let maximumBytes = 1 << 20
  static let tooLarge = "the file is larger than 1 MiB; no flow or gate file is"
  /// A nesting level needs at least one character of its line, so this bounds the depth too.
  static let maximumLineLength = 2000

  /// The root node, or `nil` with the reason reported.
  static func compose(_ text: String, _ diagnostics: Diagnostics) -> Node? {
    guard hasBearableSize(text, diagnostics) else { return nil }
    // Yams stops at a key that stands twice in one mapping and says only where the first one is.
    // Each time, the first is set aside under a name of the same length, so that the positions
    // hold, the second gets reported at its own place, and all other mistakes are found too.
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      Array($0.unicodeScalars)
    }
    var duplicates: [(name: String, standIn: String, mark: SourcePlace)] = []
    while true {
      let current = lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
      do {
        guard let node = try Yams.compose(yaml: current, .basic, .default, .utf8) else {
          diagnostics.error("the file is empty", at: nil, found: "nothing")
          return nil
        }
        report(duplicates, in: node, diagnostics)
        return node
      } catch YamlError.duplicatedKeysInMapping(let names, let context) {
        guard let name = names.first, duplicates.count < 100,
          let standIn = setAside(
            name, at: SourcePlace(context.mark), number: duplicates.count, in: &lines)
        else {
          diagnostics.error(
            "key '\(names.first ?? "")' stands twice in one mapping", at: SourcePlace(context.mark),
            found: names.first ?? "")
          return nil
        }
        duplicates.append((name, standIn, SourcePlace(context.mark)))
      } catch {
        report(error, text, diagnostics)
        return nil
      }
    }
  }

  /// Whether a key is a stand-in for one that stood twice.
  static func isSetAside(_ key: String) -> Bool {
    key.unicodeScalars.first.map { privateUse.contains($0.value) } ?? false
  }

  private static let privateUse: ClosedRange<UInt32> = 0xE000...0xE063

  private static func hasBearableSize(_ text: String, _ diagnostics: Diagnostics) -> Bool {
    if text.utf8.count > maximumBytes {
      diagnostics.error(tooLarge, at: nil)
      return false
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.utf8.count > maximumLineLength {
      diagnostics.error(
        "the line is longer than \(maximumLineLength) bytes",
        at: SourcePlace(line: index + 1, column: 1))
      return false
    }
    return true
  }

  private static func setAside(
    _ name: String, at mark: SourcePlace, number: Int, in lines: inout [[Unicode.Scalar]]
  ) -> String? {
    let scalars = Array(name.unicodeScalars)
    let start = mark.column - 1
    guard let standIn = Unicode.Scalar(privateUse.lowerBound + UInt32(number)), !scalars.isEmpty,
      lines.indices.contains(mark.line - 1), start >= 0,
      start + scalars.count <= lines[mark.line - 1].count,
      Array(lines[mark.line - 1][start..<start + scalars.count]) == scalars
    else { return nil }
    let replacement = [Unicode.Scalar](repeating: standIn, count: scalars.count)
    lines[mark.line - 1].replaceSubrange(start..<start + scalars.count, with: replacement)
    return String(String.UnicodeScalarView(replacement))
  }

  /// Finds the mapping that holds each stand-in, and in it the key that stood twice.
  private static func report(
    _ duplicates: [(name: String, standIn: String, mark: SourcePlace)], in node: Node,
    _ diagnostics: Diagnostics
  ) {
    guard !duplicates.isEmpty else { return }
    switch node {
    case .mapping(let mapping):
      for duplicate in duplicates
      where mapping.contains(where: { $0.key.scalar?.string == duplicate.standIn }) {
        let keys = mapping.map(\.key)
        let sameName =
          [duplicate.name] + duplicates.filter { $0.name == duplicate.name }.map(\.standIn)
        let own = keys.firstIndex { $0.scalar?.string == duplicate.standIn } ?? 0
        let second = keys[(own + 1)...].first { sameName.contains($0.scalar?.string ?? "") }
        diagnostics.error(
          "key '\(duplicate.name)' stands twice in one mapping, first at "
            + "\(duplicate.mark.line):\(duplicate.mark.column)",
          at: second?.place ?? duplicate.mark, found: duplicate.name)
      }
      for (_, value) in mapping { report(duplicates, in: value, diagnostics) }
    case .sequence(let sequence):
      for item in sequence { report(duplicates, in: item, diagnostics) }
    case .scalar, .alias:
      break
    }
  }

  private static func report(_ error: any Error, _ text: String, _ diagnostics: Diagnostics) {
    let tabs = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap
    { (index, line) -> SourcePlace? in
      let indentation = line.prefix { $0 == " " || $0 == "\t" }
      guard let tab = indentation.firstIndex(of: "\t") else { return nil }
      return SourcePlace(line: index + 1, column: line.distance(from: line.startIndex, to: tab) + 1)
    }
    if !tabs.isEmpty {
      for mark in tabs {
        diagnostics.error(
          "a tab in the indentation; YAML indents with spaces", at: mark, found: "\\t")
      }
      return
    }
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      let place = context.map { "\($0.text) at \($0.mark.line):\($0.mark.column): " } ?? ""
      diagnostics.error("not YAML: \(place)\(problem)", at: SourcePlace(mark))
    case YamlError.reader(let problem, let offset, _, _):
      let before = text.prefix(offset ?? 0).unicodeScalars
      let line = before.count { $0 == "\n" } + 1
      let column =
        before.count
        - (before.lastIndex(of: "\n").map {
          before.distance(from: before.startIndex, to: $0) + 1
        } ?? 0)
      diagnostics.error("not YAML: \(problem)", at: SourcePlace(line: line, column: column + 1))
    default:
      diagnostics.error("not YAML: \(error)", at: nil)
    }
  }
}
