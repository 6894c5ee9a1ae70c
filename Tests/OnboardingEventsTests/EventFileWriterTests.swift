import Foundation
import OnboardingEvents
import Testing

@Suite struct EventFileWriterTests {
  /// A folder that is gone with the test.
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("events-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private static func lines(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  }

  private static func event(_ number: Int) -> OnboardingEvent {
    OnboardingEvent(
      .started, at: EventTime(milliseconds: 1_767_225_600_000 + Int64(number)), deviceID: "d")
  }

  @Test func `files begin anew before they are too long, and hold every event once`() throws {
    try Self.withFolder { folder in
      let line = try Self.event(0).line()
      let writer = try EventFileWriter(folder: folder, maximumBytes: line.count * 3 + 1)
      for number in 0..<7 { try writer.append(Self.event(number)) }
      #expect(
        try Self.names(folder) == [
          "events-000001.ndjson", "events-000002.ndjson", "events-000003.ndjson.part",
        ])
      try writer.close()
      let names = try Self.names(folder)
      #expect(names.last == "events-000003.ndjson")
      let all = try names.flatMap { try Self.lines("\(folder)/\($0)") }
      #expect(
        try all
          == (0..<7).map {
            String(decoding: try Self.event($0).line().dropLast(), as: UTF8.self)[...]
          })
      #expect(throws: EventWriterError.closed) { try writer.append(Self.event(8)) }
    }
  }

  @Test func `a later writer begins after the files that are there`() throws {
    try Self.withFolder { folder in
      for number in 0..<2 {
        let writer = try EventFileWriter(folder: folder, name: "a")
        try writer.append(Self.event(number))
        try writer.close()
      }
      try EventFileWriter(folder: folder, name: "a").close()
      #expect(try Self.names(folder) == ["a-000001.ndjson", "a-000002.ndjson"])
    }
  }

  @Test func `what a crash left behind is gone on with, and a line it cut off spoils no other`()
    throws
  {
    try Self.withFolder { folder in
      let part = "\(folder)/events-000001.ndjson.part"
      try Data("{\"event\":\"whole\"}\n{\"event\":\"cut".utf8).write(to: URL(filePath: part))
      let writer = try EventFileWriter(folder: folder)
      try writer.append(Self.event(0))
      try writer.close()
      let lines = try Self.lines("\(folder)/events-000001.ndjson")
      #expect(lines.count == 3 && lines[1] == "{\"event\":\"cut")
      #expect(Array(lines[2].utf8) == (try Self.event(0).line().dropLast()))
    }
  }

  @Test func `a wrong event is in no file, and a folder that is not there is named`() throws {
    try Self.withFolder { folder in
      let writer = try EventFileWriter(folder: folder)
      #expect(throws: EventWriterError.invalid(.noIdentifier)) {
        try writer.append(OnboardingEvent(.started, at: EventTime(milliseconds: 1_767_225_600_000)))
      }
      try writer.close()
      #expect(try Self.names(folder).isEmpty)
      #expect(
        throws: EventWriterError.file(
          path: "\(folder)/none/events-000001.ndjson.part", operation: "open", code: ENOENT)
      ) { try EventFileWriter(folder: "\(folder)/none") }
    }
  }
}
