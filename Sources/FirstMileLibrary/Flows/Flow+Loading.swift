public import FlowDefinition

extension Flow {
  /// A flow that is built in: `memoss`, `unforgotten`, `aiq`, `trendy` or `dequeue`.
  ///
  /// - Throws: `FlowFileLoadError.unknownName`, with the nearest name, for any other.
  public init(named name: String) throws {
    guard FlowFile.builtInText(name) != nil else {
      throw FlowFileLoadError.unknownName(
        name, suggestion: NearestSpelling.of(name, among: FlowFile.builtInNames))
    }
    self = try FlowFile.load(name)
  }

  /// The flow of a flow file.
  ///
  /// - Parameter path: of the file; a relative one begins at the working directory.
  /// - Throws: `FlowFileLoadError` where there is nothing to read, `FlowFileErrors` with the place
  ///   of each mistake in the text.
  public init(contentsOf path: String) throws {
    // A file may be called like a built-in flow.
    self = try FlowFile.load(FlowFile.builtInText(path) == nil ? path : "./\(path)")
  }

  /// The flow that the text of a flow file defines.
  ///
  /// - Parameters:
  ///   - text: YAML, as `docs/flow-file.md` describes it.
  ///   - name: what mistakes call the text.
  /// - Throws: `FlowFileErrors` with the place of each mistake.
  public init(text: String, name: String = "flow") throws {
    self = try FlowParser.parse(text, file: name).flow
  }
}
