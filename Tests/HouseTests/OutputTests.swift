import Testing

/// No command can overwrite what it reads, because few places open files for writing at all.
@Suite struct OutputTests {
  /// What opens, makes, replaces or shortens files.
  private static let writing = [
    "O_WRONLY", "O_RDWR", "O_CREAT", "createFile(", "forWriting", "write(to: URL", "rename(",
    "renameat", "moveItem", "copyItem", "replaceItem", "linkItem", "fopen(", "freopen(",
    "OutputStream", "mkstemp", "symlink(",
  ]

  private static let allowed: [String: String] = [
    "Sources/EventInput/Unsafe/RawOutput.swift": "the one way to open a file for writing",
    "Sources/EventInput/Output/Replacement.swift": "puts a file in place of another",
    "Sources/EventInput/Output/RejectWriter.swift": "puts its file where a command was allowed to",
    "Sources/EventInput/Output/PrivateFolder.swift": "takes a folder of its own away",
    "Sources/FirstMileStore/RejectsFolder.swift": "within a folder of the store's own",
    "Sources/Timelines/Unsafe/SegmentFile.swift": "new files in a private folder",
    "Sources/OnboardingEvents/Unsafe/EventFile.swift": "new files of an app's own",
    "Sources/FirstMileSimulation/Files/DumpFile.swift": "new files only",
    "Sources/FirstMileSimulation/Simulator.swift": "the truth of a dump whose files were new",
  ]

  @Test func `files are opened for writing in few places`() throws {
    var found: Set<String> = []
    for file in try SourceTree.swiftFiles(in: "Sources")
    where Self.writing.contains(where: file.text.contains) {
      for (index, line) in file.lines.enumerated() {
        let text = line.drop { $0 == " " }
        guard !text.hasPrefix("//"), let word = Self.writing.first(where: text.contains) else {
          continue
        }
        found.insert(file.path)
        #expect(
          Self.allowed[file.path] != nil,
          "\(file):\(index + 1): '\(word)'; files are written through CommandFiles and Replacement")
      }
    }
    #expect(found == Set(Self.allowed.keys))
  }

  /// Foundation's, of a text, ends the program for a path of one character.
  @Test func `folders of paths are asked of FolderOfPath`() throws {
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for (index, line) in file.lines.enumerated()
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        let isOfText =
          line.contains("deletingLastPathComponent") && !line.contains("URL(fileURLWithPath: path)")
        #expect(!isOfText, "\(file):\(index + 1)")
      }
    }
  }

  @Test func `commands write only through what asks CommandFiles`() throws {
    var found: Set<String> = []
    for file in try SourceTree.swiftFiles(in: "Sources/FirstMileCommands") {
      if file.text.contains("Replacement(") || file.text.contains("RawOutput(") {
        found.insert(file.path)
        #expect(file.text.contains("files.confirm("), "\(file) doesn't ask before it replaces")
      }
    }
    #expect(
      found == [
        "Sources/FirstMileCommands/OutputFile.swift",
        "Sources/FirstMileCommands/ReportsAside.swift",
      ])
  }
}
