import EventInput
import FlowDefinition
import Foundation

/// A report that is counted on Apache Spark: `spark-submit` with the script of this program.
struct SparkRun {
  let master: String
  /// Words of the script.
  let arguments: [String]
  let interruption: Interruption

  private static let program = "spark-submit"

  /// Runs it; what it says goes where this program's words go.
  ///
  /// - Returns: its exit code.
  /// - Throws: `CommandError` where Spark can't be started.
  func run() throws -> Int32 {
    guard let submit = SparkRun.place(of: SparkRun.program) else {
      throw CommandError(
        "--engine spark needs '\(SparkRun.program)' of Spark 4 on the path: install Spark, or "
          + "PySpark by `pip install pyspark pandas pyarrow`")
    }
    let temporary = NSTemporaryDirectory()
    guard let folder = PrivateFolder.make("\(temporary)/firstmile-spark-") else {
      throw CommandError("no folder can be made in '\(temporary)': \(systemMessage(errno))")
    }
    defer { PrivateFolder.discard(folder) }
    let script = try CommandFiles().write("\(folder)/firstmile_spark.py", as: "Spark's script")
    try script.replace(
      isPrivate: true, with: String(decoding: PackageResources.firstmile_spark_py, as: UTF8.self))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: submit)
    process.arguments = ["--master", master, script.path] + arguments
    process.standardInput = FileHandle.nullDevice
    interruption.clear {
      process.terminate()
      PrivateFolder.discard(folder)
    }
    do {
      try process.run()
    } catch {
      throw CommandError("'\(submit)' can't be started: \(SystemReason.of(error))")
    }
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }

  private static func place(of program: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    let home = environment["SPARK_HOME"].map { ["\($0)/bin"] } ?? []
    return (home + path.split(separator: ":").map(String.init)).map { "\($0)/\(program)" }
      .first { unsafe access($0, X_OK) == 0 && !ReportFolder.isFolder($0) }
  }
}
