import EventInput
import Foundation
import Testing

/// Files that change while they are read.
struct ShortenedFileTests {
  private static let lines = (0..<20_000).map { line("\"n\":\($0)", id: "u\($0)") }

  /// Reads a file that something happens to when its first events have been read.
  private func read(_ change: (FileHandle) throws -> Void) throws -> SourceSummary {
    let folder = try TemporaryFolder()
    let text = Self.lines.joined(separator: "\n") + "\n"
    let path = try folder.write(Array(text.utf8), "dump.ndjson")
    let scanner = SourceScanner(plan: TestPlan.plan(), key: .fixed)
    var isChanged = false
    return try scanner.scan(.file(path), rejects: nil) { _ in
      if isChanged { return }
      isChanged = true
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try change(file)
      try file.close()
    }
  }

  @Test func `a file that becomes shorter is damaged`() throws {
    // Behind a line's end, so that no line is cut.
    let kept = Self.lines[..<15_000].reduce(0) { $0 + $1.utf8.count + 1 }
    let summary = try read { try $0.truncate(atOffset: UInt64(kept)) }
    #expect(summary.events == 15_000 && summary.rejects == 0)
    #expect(summary.damages.map(\.byteOffset) == [kept])
    let whole = Self.lines.reduce(0) { $0 + $1.utf8.count + 1 }
    #expect(
      summary.damages.first?.message.contains("had \(whole) bytes when it was opened") == true)
  }

  @Test func `a file that becomes longer is not`() throws {
    let summary = try read { file in
      try file.seekToEnd()
      try file.write(contentsOf: Data((line(id: "new") + "\n").utf8))
    }
    #expect(summary.events == 20_001 && summary.damages == [])
  }
}
