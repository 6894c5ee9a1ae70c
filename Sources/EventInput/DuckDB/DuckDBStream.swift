import Foundation

/// The rows of a file that DuckDB reads, one JSON object a line.
///
/// What DuckDB says when it fails is an `InputProblem` where nothing was read yet, and damage
/// behind rows that were: never the end of a shorter file.
final class DuckDBStream: ByteStream {
  private let child: ChildProcess
  private let name: String
  private let what: String
  private let log: DamageLog
  private var hasRows = false
  private var isDone = false

  /// - Throws: an `InputProblem` if DuckDB can't read the file, or it holds no table of events.
  init(
    _ kind: ForeignFile, _ table: DuckDBTable, _ program: DuckDBProgram, input: Int32,
    name: String, log: DamageLog
  ) throws {
    (self.name, what, self.log) = (name, kind.what, log)
    do {
      let query = try Self.query(table, program, input: input, what: what)
      child = try program.start(query, table, input: input)
    } catch var problem as InputProblem {
      problem.name = name
      throw problem
    }
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    if isDone { return .end }
    let count = unsafe child.read(into: target)
    if count > 0 {
      hasRows = true
      return .bytes(count)
    }
    isDone = true
    let end = child.finish()
    if end == .exited(0) { return .end }
    let words = Self.words(of: child, end)
    guard hasRows else {
      throw InputProblem(name: name, message: "is \(what) that DuckDB can't read: \(words)")
    }
    log.add(at: 0, "DuckDB could not read \(what) to its end: \(words)")
    return .damage
  }

  /// The first line that DuckDB said.
  private static func words(of child: ChildProcess, _ end: ChildProcess.End) -> String {
    let lines = child.words.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    if let line = lines.first(where: { !$0.isEmpty }) { return String(line.prefix(500)) }
    return switch end {
    case .exited(let status): "it ended with exit code \(status) and said nothing"
    case .ended(let signal): "signal \(signal) ended it"
    }
  }
}

// Finding out what there is to read.
extension DuckDBStream {
  private static func query(
    _ table: DuckDBTable, _ program: DuckDBProgram, input: Int32, what: String
  ) throws -> String {
    if let source = table.source {
      let columns = try columns(
        "SELECT column_name AS name, column_type AS type FROM (DESCRIBE FROM \(source))", table,
        program, input: input, what: what)
      return DuckDBSelection.query(columns, from: source)
    }
    // DuckDB calls a database by its path.
    guard String(validating: table.database ?? [], as: UTF8.self) != nil else {
      throw InputProblem(
        name: "",
        message: "is \(what) with a path that is no UTF-8; rename it, or name a link to it")
    }
    let columns = try columns(
      """
      SELECT schema_name AS schema, table_name AS table, column_name AS name, data_type AS type \
      FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() \
      ORDER BY schema_name, table_name, column_index
      """, table, program, input: input, what: what)
    let tables = DuckDBDatabase(columns)
    guard let chosen = tables.events else {
      throw InputProblem(
        name: "", message: "is \(what) \(tables.advice)", kind: .foreign(what))
    }
    return DuckDBSelection.query(chosen.columns, from: chosen.name)
  }

  /// The columns that a query describes.
  private static func columns(
    _ query: String, _ table: DuckDBTable, _ program: DuckDBProgram, input: Int32, what: String
  ) throws -> [DuckDBColumn] {
    let child = try program.start(query, table, input: input)
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe child.read(into: $0) }
      if count == 0 { break }
      text += chunk[..<count]
    }
    let end = child.finish()
    guard end == .exited(0) else {
      if !table.extensionNames.isEmpty, child.words.contains("Install it first") {
        let names = table.extensionNames.map { "'\($0)'" }.joined(separator: " and ")
        let commands = table.extensionNames.map { "INSTALL \($0)" }.joined(separator: "; ")
        throw InputProblem(
          name: "",
          message: "is \(what), and DuckDB reads it with \(names), extensions that have to be "
            + "installed: duckdb -c \"\(commands)\"", kind: .foreign(what))
      }
      throw InputProblem(
        name: "", message: "is \(what) that DuckDB can't read: \(words(of: child, end))")
    }
    do {
      return try text.split(separator: UInt8(ascii: "\n")).map { line in
        try JSONDecoder().decode(DuckDBColumn.self, from: Data(line))
      }
    } catch {
      throw InputProblem(name: "", message: "is \(what) whose columns DuckDB can't describe")
    }
  }
}
