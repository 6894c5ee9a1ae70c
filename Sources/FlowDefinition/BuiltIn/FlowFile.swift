internal import Foundation

/// Reads flow files, from disk or from the five that are built in.
public enum FlowFile {
  /// The flows that ship with the product, in the order of `flow list`.
  public static let builtInNames = ["memoss", "unforgotten", "aiq", "trendy", "dequeue"]

  /// The YAML of a built-in flow; `nil` for any other name.
  public static func builtInText(_ name: String) -> String? {
    BuiltInFlows.bytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The flow of a built-in name or a file; see `read` for errors.
  public static func load(_ nameOrPath: String) throws -> Flow {
    try read(nameOrPath).flow
  }

  /// Reads a built-in flow by name, or a file by path.
  ///
  /// A built-in name wins over a file of the same name; `./memoss` is always the file.
  ///
  /// - Throws: `FlowFileLoadError` where there is nothing to read, `FlowFileErrors` for mistakes
  ///   in the text.
  public static func read(_ nameOrPath: String) throws -> ParsedFlow {
    if let text = builtInText(nameOrPath) {
      return try FlowParser.parse(text, file: "\(nameOrPath) (built-in)")
    }
    var isDirectory: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: nameOrPath, isDirectory: &isDirectory)
    else {
      let isPath = nameOrPath.contains("/") || nameOrPath.contains(".")
      if isPath { throw FlowFileLoadError.notFound(path: nameOrPath) }
      throw FlowFileLoadError.unknownName(
        nameOrPath, suggestion: NearestSpelling.of(nameOrPath, among: builtInNames))
    }
    if isDirectory.boolValue { throw FlowFileLoadError.isDirectory(path: nameOrPath) }
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.bytes(atPath: nameOrPath)
    } catch {
      throw FlowFileLoadError.unreadable(
        path: nameOrPath, reason: SystemReason.of(error))
    }
    return try FlowParser.parse(bytes: bytes, file: nameOrPath)
  }
}

/// Why there was no flow file to parse.
public enum FlowFileLoadError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Neither a built-in flow nor a file.
  case unknownName(String, suggestion: String?)
  case notFound(path: String)
  case isDirectory(path: String)
  case unreadable(path: String, reason: String)

  /// One line: line feeds of names are shown escaped.
  public var description: String { HiddenScalars.escaped(words) }

  private var words: String {
    switch self {
    case .unknownName(let name, let suggestion):
      "no built-in flow and no file is called '\(name)'; built in: "
        + FlowFile.builtInNames.joined(separator: ", ")
        + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
    case .notFound(let path):
      "\(path): no such file" + (NearestFile.of(path).map { "; did you mean '\($0)'?" } ?? "")
    case .isDirectory(let path): "\(path): is a directory, a flow file is needed"
    case .unreadable(let path, let reason): "\(path): can't be read: \(reason)"
    }
  }
}

extension FlowParser {
  /// Parses the bytes of a flow file; the first byte that isn't UTF-8 is reported with its place.
  public static func parse(bytes: [UInt8], file: String) throws(FlowFileErrors) -> ParsedFlow {
    try parse(try UTF8Text.of(bytes, file: file), file: file)
  }
}
