/// Defaults of options for one working directory, from its `firstmile.yaml`: what the command line
/// doesn't say. The grammar is in docs/start.md.
public struct ProjectFile: Sendable, Hashable {
  /// What the file is called; it is looked for in the working directory only.
  public static let name = "firstmile.yaml"

  /// Flow files or built-in flows.
  public var flows: [String] = []
  /// Files, folders and patterns to read.
  public var inputs: [String] = []
  /// The path of a store; `nil` where the file names none. So with all that follow.
  public var store: String?
  /// A format of input by name, as `--format` takes it.
  public var format: String?
  /// The address of the S3-compatible store that inputs are in, as `--endpoint-url` takes it.
  public var endpointURL: String?
  /// Whether inputs are read without credentials.
  public var isUnsigned = false
  /// The folder that reports go to.
  public var out: String?
  /// The file that lines go to that can't be read.
  public var rejects: String?
  /// At least 1.
  public var threads: Int?
  /// With its unit, as `--memory-limit` takes it.
  public var memoryLimit: String?

  /// A file that sets no default.
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
    add("endpoint_url", [endpointURL].compactMap { $0 })
    if isUnsigned { lines.append("no_sign_request: true") }
    add("out", [out].compactMap { $0 })
    add("rejects", [rejects].compactMap { $0 })
    if let threads { lines.append("threads: \(threads)") }
    add("memory_limit", [memoryLimit].compactMap { $0 })
    return lines.joined(separator: "\n") + "\n"
  }
}
