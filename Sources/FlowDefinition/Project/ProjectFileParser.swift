internal import Yams

/// Turns the text of a project file into a `ProjectFile`.
public enum ProjectFileParser {
  static let keys = [
    "flow", "inputs", "store", "format", "endpoint_url", "no_sign_request", "out", "rejects",
    "threads", "memory_limit",
  ]

  /// Parses and checks a project file.
  ///
  /// - Parameters:
  ///   - formats: the names that `format` may have.
  ///   - isSize: whether a text is a size in bytes, such as 512M.
  /// - Throws: All mistakes found, by position; never only the first.
  public static func parse(
    bytes: [UInt8], file: String, formats: [String], isSize: (String) -> Bool
  ) throws(FlowFileErrors) -> ProjectFile {
    let diagnostics = Diagnostics(file: file)
    var lines = try UTF8Text.of(bytes, file: file).replacing("\r\n", with: "\n")
    if lines.unicodeScalars.first == "\u{FEFF}" { lines.unicodeScalars.removeFirst() }
    var project = ProjectFile()
    if let root = YAMLText.compose(lines, diagnostics),
      let reader = MappingReader(root, what: "a project file", allowed: keys, diagnostics)
    {
      project.flows = texts(reader, "flow")
      project.inputs = texts(reader, "inputs")
      project.store = text(reader, "store")
      project.endpointURL = text(reader, "endpoint_url")
      project.isUnsigned = reader.boolean("no_sign_request") ?? false
      project.out = text(reader, "out")
      project.rejects = text(reader, "rejects")
      project.threads = reader.node("threads").flatMap {
        diagnostics.wholeNumber($0, "'threads'", in: 1...65_536)
      }
      if let name = text(reader, "format") {
        if !formats.contains(name) {
          let place = reader.node("format")?.place
          diagnostics.unknown("format", name, at: place, allowed: formats)
        }
        project.format = name
      }
      if let size = text(reader, "memory_limit") {
        if !isSize(size) {
          diagnostics.error(
            "'memory_limit' must be a size such as 512M or 2G, found '\(size)'",
            at: reader.node("memory_limit")?.place, found: size, allowed: ["512M", "2G"])
        }
        project.memoryLimit = size
      }
      if reader.has("store") && reader.has("inputs") {
        diagnostics.error(
          "'inputs' or 'store', not both: a store has read its dumps already",
          at: reader.keyMark("store"), found: "both")
      }
      for key in ["format", "endpoint_url", "no_sign_request"]
      where reader.has("store") && reader.has(key) {
        diagnostics.error(
          "'\(key)' is for reading 'inputs': a store has read its dumps already",
          at: reader.keyMark(key), found: "both")
      }
    }
    if diagnostics.hasErrors { throw FlowFileErrors(diagnostics.sortedErrors) }
    return project
  }

  /// A text that isn't empty.
  private static func text(_ reader: MappingReader, _ key: String) -> String? {
    reader.node(key).flatMap { text($0, "'\(key)'", reader.diagnostics) }
  }

  /// A text, or a list of them.
  private static func texts(_ reader: MappingReader, _ key: String) -> [String] {
    guard let node = reader.node(key) else { return [] }
    guard let nodes = node.sequence else {
      return [text(node, "'\(key)'", reader.diagnostics)].compactMap { $0 }
    }
    if nodes.isEmpty {
      reader.diagnostics.error("'\(key)' is an empty list", at: node.place, found: "an empty list")
    }
    return nodes.compactMap { text($0, "an item of '\(key)'", reader.diagnostics) }
  }

  /// Numbers, `true` and `false` are no names unless they are in quotes.
  private static func text(
    _ node: Node, _ what: String, _ diagnostics: Diagnostics
  ) -> String? {
    guard let scalar = node.scalar, !ScalarText.isNull(scalar),
      !ScalarText.isPlain(scalar)
        || (ScalarText.boolean(scalar) == nil && Double(scalar.string) == nil)
    else {
      diagnostics.wrongType(what, "text", node)
      return nil
    }
    if scalar.string.isEmpty {
      diagnostics.error("\(what) is empty", at: node.place, found: "nothing")
      return nil
    }
    return scalar.string
  }
}
