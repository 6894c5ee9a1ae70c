import EventInput
import Foundation
import Testing

/// The rejects file is the same whatever the order of reading, private, and never half written.
struct RejectWriterTests {
  @Test func partsComeInTheOrderOfTheSources() throws {
    let folder = try TemporaryFolder()
    let sources = try (0..<5).map { index in
      InputSource.file(
        try folder.write(Array("bad \(index)\n\u{1}\"\\\u{7F}\t\n".utf8), "\(index).ndjson"))
    }
    func write(_ order: [InputSource]) throws -> Data {
      let path = "\(folder.path)/rejects"
      let writer = try RejectWriter(path: path)
      for source in order {
        _ = try SourceScanner(plan: TestPlan.plan(), key: .fixed)
          .scan(source, rejects: writer) { _ in }
      }
      let size = try writer.finish(order: sources)
      let data = try Data(contentsOf: URL(filePath: path))
      #expect(size == data.count)
      return data
    }
    let first = try write(sources)
    #expect(try write(sources.reversed()) == first)
    let lines = String(decoding: first, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 10)
    #expect(
      lines.first?.hasSuffix(
        "\"line\":1,\"reason\":\"malformed_json\",\"detail\":\"at byte 1 of the line\",\"text\":\"bad 0\"}"
      ) == true)
    #expect(lines.last?.hasSuffix("\"text\":\"\\u0001\\\"\\\\\\u007f\\t\"}") == true)
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/rejects")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 6)
  }

  @Test func anAbandonedRunLeavesTheOldFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("old".utf8), "rejects")
    do {
      let writer = try RejectWriter(path: path)
      let source = InputSource.file(try folder.write(Array("bad".utf8), "input"))
      _ = try SourceScanner(plan: TestPlan.plan(), key: .fixed)
        .scan(source, rejects: writer) { _ in }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func noPlaceToWrite() {
    #expect(throws: InputProblem.self) { try RejectWriter(path: "/nonexistent/rejects") }
  }
}
