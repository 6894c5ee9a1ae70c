/// Defaults of options for one working directory, from its `firstmile.yaml`: what the command line
/// doesn't say. The grammar is in docs/start.md.
public struct ProjectFile: Sendable, Hashable {
  /// What the file is called; it is looked for in the working directory only.
  public static let name = "firstmile.yaml"

  /// Flow files or built-in flows.
  public var flows: [String] = []
  public var inputs: [String] = []
  public var store: String?
  public var format: String?
  public var out: String?
  public var rejects: String?
  public var threads: Int?
  public var memoryLimit: String?

  public init() {}

  /// The file as text, which `ProjectFileParser` reads back.
  public var text: String {
    var lines: [String] = []
    func add(_ key: String, _ values: [String]) {
      let texts = values.map(YAMLQuoting.quoted)
      if texts.count == 1 { lines.append("\(key): \(texts[0])") }
      if texts.count > 1 { lines.append("\(key): [\(texts.joined(separator: ", "))]") }
    }
    add("flow", flows)
    add("inputs", inputs)
    add("store", [store].compactMap { $0 })
    add("format", [format].compactMap { $0 })
    add("out", [out].compactMap { $0 })
    add("rejects", [rejects].compactMap { $0 })
    if let threads { lines.append("threads: \(threads)") }
    add("memory_limit", [memoryLimit].compactMap { $0 })
    return lines.joined(separator: "\n") + "\n"
  }
}
