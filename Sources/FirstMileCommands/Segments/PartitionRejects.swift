import EventInput
import FirstMileStore

/// Where `partition` keeps the lines that can't be used.
enum PartitionRejects {
  /// One file for all inputs, which was named.
  case file(OutputFile, RejectWriter)
  /// A file a task: processes that divide other inputs into one folder leave each other's alone.
  case folder(RejectsFolder, CommandFiles)

  /// - Parameters:
  ///   - given: `--rejects`.
  ///   - out: the folder of segments, which exists.
  /// - Returns: `nil` where segments go to a stream, and no file is named.
  static func place(
    given: String?, out: String, _ files: CommandFiles
  ) throws -> PartitionRejects? {
    if let given {
      let file = try files.write(given, as: "--rejects")
      return .file(file, try RejectWriter(path: file.path))
    }
    if out == "-" { return nil }
    let folder = RejectsFolder(beside: ReportFolders.trimmed(out))
    try folder.prepare()
    return .folder(folder, files)
  }

  /// Reads a source, and keeps what of it can't be used.
  func read<Result>(
    _ source: InputSource, task: String, _ body: (RejectWriter) throws -> Result
  ) throws -> Result {
    switch self {
    case .file(_, let writer): return try body(writer)
    case .folder(let rejects, let files):
      let file = try files.write(rejects.file(task: task), as: "the file of rejected lines")
      let (writer, folder) = try rejects.begin()
      let result = try body(writer)
      try file.confirm()
      try rejects.keep(writer, folder, of: source, task: task)
      return result
    }
  }

  /// Finishes what is kept, after all sources.
  ///
  /// - Returns: where it is; `nil` where there is nothing.
  func finish(_ sources: [InputSource]) throws -> String? {
    switch self {
    case .file(let file, let writer):
      try file.confirm()
      return try writer.finish(order: sources) > 0 ? file.given : nil
    // The folder stays though nothing be in it: another process may be about to use it.
    case .folder(let rejects, _): return rejects.path
    }
  }
}
