internal import Foundation
internal import WorkerThreads

/// Writes tables as Parquet through DuckDB's command line, where it is installed.
///
/// The table goes in through one pipe and comes out of another: no path stands in the SQL, and none
/// is opened. `/dev/fd` and not `/dev/stdout`: what DuckDB writes under another name first and then
/// renames would replace the latter, for a user who may.
package struct ParquetWriter: Sendable {
  package enum Kind: String, Sendable {
    case text = "VARCHAR"
    case integer = "BIGINT"
    case real = "DOUBLE"
  }

  private let program: DuckDBProgram

  /// `nil` where there is no `duckdb` on the path.
  package init?() {
    guard let program = DuckDBProgram.installed else { return nil }
    self.program = program
  }

  /// The bytes of the file.
  ///
  /// - Parameter csv: with a head; an empty cell is NULL.
  /// - Throws: an `InputProblem` without a name, with what DuckDB said.
  package func bytes(
    _ csv: [UInt8], _ columns: [(name: String, kind: Kind)]
  ) throws -> [UInt8] {
    var pair: [Int32] = [-1, -1]
    guard unsafe pipe(&pair) == 0 else {
      throw InputProblem(name: "", message: "no pipe can be made: \(systemMessage(errno))")
    }
    let (reading, writing) = (pair[0], pair[1])
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child: ChildProcess
    do {
      defer { close(reading) }
      child = try program.write(Self.query("/dev/fd/0", columns), input: reading)
    } catch {
      close(writing)
      throw error
    }
    let feeder: SystemThread
    do {
      feeder = try SystemThread { Self.feed(csv, into: writing) }
    } catch {
      close(writing)
      throw InputProblem(name: "", message: "no thread can be made: \(error.message)")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe child.read(into: $0) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    let end = child.finish()
    feeder.join()
    guard end == .exited(0), !bytes.isEmpty else {
      let said = child.words.split(separator: "\n").first.map(String.init)
      throw InputProblem(
        name: "", message: "DuckDB can't write Parquet: \(said ?? "it said nothing")")
    }
    return bytes
  }

  private static func feed(_ bytes: [UInt8], into descriptor: Int32) {
    unsafe bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = unsafe write(
          descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if count < 0 && errno == EINTR { continue }
        // The program ended early: it says why.
        if count <= 0 { break }
        offset += count
      }
    }
    close(descriptor)
  }

  private static func query(_ file: String, _ columns: [(name: String, kind: Kind)]) -> String {
    let types = columns.map {
      "\(DuckDBText.literal($0.name)): \(DuckDBText.literal($0.kind.rawValue))"
    }
    return "FROM read_csv(\(DuckDBText.literal(file)), header = true, delim = ',', quote = '\"', "
      + "escape = '\"', nullstr = '', auto_detect = false, "
      + "columns = {\(types.joined(separator: ", "))})"
  }
}
