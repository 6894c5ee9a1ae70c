import Foundation

/// DuckDB's command line, where it is installed. Files that it knows and this program doesn't are
/// read through it.
struct DuckDBProgram: Sendable {
  /// In the first folder of PATH that has it. Names that aren't absolute don't count: a folder of
  /// dumps must not supply the program.
  static let installed: DuckDBProgram? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/duckdb" }
      .first { FileManager.default.isExecutableFile(atPath: $0) && !isFolder($0) }
      .map { DuckDBProgram(path: $0) }
  }()

  let path: String

  /// What each run begins with: nothing is fetched or written, no other file is looked at, and
  /// nothing in a file can change that.
  ///
  /// One thread keeps the rows in order without holding them back: several are no faster, and take
  /// ten times the memory.
  private static func settings(_ allowed: String) -> String {
    """
    SET allow_persistent_secrets = false; SET temp_directory = ''; \
    SET memory_limit = '1GB'; SET threads = 1; SET preserve_insertion_order = true; \
    \(allowed) SET enable_external_access = false; SET lock_configuration = true;
    """
  }

  /// Starts a query whose rows come as lines of JSON.
  ///
  /// - Parameters:
  ///   - input: the file, as the program's standard input.
  /// - Throws: an `InputProblem` without a name if it can't be started.
  func start(_ query: String, _ table: DuckDBTable, input: Int32) throws -> ChildProcess {
    // Before an extension is loaded, which may want to fetch others.
    let load =
      "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false; "
      + table.extensionNames.map { "LOAD \($0); " }.joined()
    var allowed = "SET allowed_paths = ['/dev/stdin', '/dev/stdout'];"
    if let folder = table.folder {
      allowed += " SET allowed_directories = [\(DuckDBText.literal(folder))];"
    }
    let statements =
      load + Self.settings(allowed) + " COPY (\(query)) TO '/dev/stdout' (FORMAT json);"
    var arguments = ["-init", "/dev/null", "-batch", "-bail"].map { Array($0.utf8) }
    if let database = table.database {
      arguments += [Array("-readonly".utf8), Array("-c".utf8), Array(statements.utf8), database]
    } else {
      arguments += [Array("-c".utf8), Array(statements.utf8)]
    }
    var environment = ProcessInfo.processInfo.environment
    // Times with an offset are written in it.
    environment["TZ"] = "UTC"
    return try ChildProcess(
      path, arguments, environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
      input: input)
  }

  /// Starts a query whose rows are written as Parquet, from one pipe to another.
  func write(_ query: String, input: Int32) throws -> ChildProcess {
    let statements =
      "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false; "
      + Self.settings("SET allowed_paths = ['/dev/fd/0', '/dev/fd/1'];")
      + " COPY (\(query)) TO '/dev/fd/1' (FORMAT parquet, USE_TMP_FILE false);"
    let arguments = ["-init", "/dev/null", "-batch", "-bail", "-c", statements]
    return try ChildProcess(
      path, arguments.map { Array($0.utf8) },
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }.sorted(),
      input: input)
  }

  private static func isFolder(_ path: String) -> Bool {
    FileIdentity(at: path)?.isFolder ?? true
  }
}
