import EventInput
import Foundation
import Testing

@testable import FirstMileCommands

/// Files that land in a folder while it is watched.
@Suite struct LandingFolderTests {
  private static let line = Data("{\"event\": \"opened\"}\n".utf8)

  /// A folder that is there as long as `body` runs.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-landing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func write(_ path: String, lines: Int = 1) {
    let data = (0..<lines).reduce(into: Data()) { data, _ in data.append(Self.line) }
    #expect(FileManager.default.createFile(atPath: path, contents: data))
  }

  @Test func `a file that grows is whole when it has not changed for a while, once`() throws {
    try withFolder { path in
      var folder = LandingFolder(path: path, settleSeconds: 10)
      let dump = "\(path)/a.ndjson"
      func look(after seconds: Double) -> [String] {
        folder.look(now: Date.now + seconds).map(\.name)
      }
      #expect(look(after: 60) == [])
      write(dump)
      // Seen for the first time it may be growing, however old it is; then it is too young.
      #expect(look(after: 60) == [])
      #expect(look(after: 1) == [])
      #expect(look(after: 60) == [dump])
      #expect(look(after: 60) == [])
      write(dump, lines: 2)
      #expect(look(after: 60) == [])
      #expect(look(after: 60) == [dump])
      #expect(folder.problems.isEmpty)
    }
  }

  @Test func `a file of a clock that is ahead is whole when it has not changed for a while`() throws
  {
    try withFolder { path in
      var folder = LandingFolder(path: path, settleSeconds: 10)
      let dump = "\(path)/a.ndjson"
      write(dump)
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now + 10_800], ofItemAtPath: dump)
      func look(after seconds: Double) -> [String] {
        folder.look(now: Date.now + seconds).map(\.name)
      }
      #expect(look(after: 0) == [])
      #expect(look(after: 8) == [])
      #expect(look(after: 20) == [dump])
    }
  }

  @Test func `a file that is renamed into place is whole at once`() throws {
    try withFolder { path in
      var folder = LandingFolder(path: path, settleSeconds: 3600)
      write("\(path)/a.ndjson.part")
      #expect(folder.look() == [])
      try FileManager.default.moveItem(atPath: "\(path)/a.ndjson.part", toPath: "\(path)/a.ndjson")
      write("\(path)/b.ndjson")
      #expect(folder.look().map(\.name) == ["\(path)/a.ndjson"])
    }
  }
}
