import Foundation
import Testing

@testable import FirstMileCommands

/// No command replaces what it reads, and no two outputs are one file.
@Suite struct CommandFilesTests {
  /// A folder with a dump in it, which is there as long as `body` runs.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("{}\n".utf8).write(to: folder.appendingPathComponent("dump.ndjson"))
    try body(folder.path)
  }

  @Test func `an input is no output, by whichever name and in whichever order`() throws {
    try withFolder { folder in
      let dump = "\(folder)/dump.ndjson"
      let (link, twin) = ("\(folder)/link.txt", "\(folder)/twin.txt")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dump.ndjson")
      try FileManager.default.linkItem(atPath: dump, toPath: twin)
      for name in [dump, link, twin, "\(folder)/./dump.ndjson"] {
        let files = CommandFiles()
        try files.read(dump, as: "an input")
        #expect(throws: CommandError.self, "\(name)") { try files.write(name, as: "--junit") }
        let reversed = CommandFiles()
        _ = try reversed.write(name, as: "--junit")
        #expect(throws: CommandError.self, "\(name)") { try reversed.read(dump, as: "an input") }
      }
      let files = CommandFiles()
      try files.read(dump, as: "an input")
      _ = try files.write("\(folder)/other.txt", as: "--junit")
    }
  }

  @Test func `two options name two files, and one may be named again`() throws {
    try withFolder { folder in
      let files = CommandFiles()
      _ = try files.write("\(folder)/new.json", as: "--json-file")
      _ = try files.write("\(folder)/new.json", as: "--json-file")
      #expect(throws: CommandError.self) {
        try files.write("\(folder)/./new.json", as: "--junit")
      }
      for wrong in ["-", "", folder, "\(folder)/" + String(repeating: "x", count: 256)] {
        #expect(throws: CommandError.self, "\(wrong)") { try files.write(wrong, as: "--junit") }
      }
    }
  }

  @Test func `nothing is written over a store's parts or among its rejected lines`() throws {
    try withFolder { folder in
      let store = "\(folder)/facts.firstmile"
      for name in [store, store + "-wal", store + "-journal", store + "-rejects/1.ndjson"] {
        let files = CommandFiles()
        try files.use(store: store)
        #expect(throws: CommandError.self, "\(name)") { try files.write(name, as: "--junit") }
      }
      let files = CommandFiles()
      try files.use(store: store)
      _ = try files.write(store + "-copy", as: "--junit")
    }
  }
}
