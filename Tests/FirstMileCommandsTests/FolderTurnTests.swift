import Foundation
import Testing

@testable import FirstMileCommands

/// One run at a time writes into a folder.
@Suite struct FolderTurnTests {
  /// A folder that is there as long as `body` runs.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-turn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func turn(_ folder: String) throws -> FolderTurn {
    try FolderTurn(folder, for: "reports", seconds: 0) {
      try ReportFolder.make(folder, for: "the reports")
    }
  }

  @Test func `the next one gets its turn when the one before it has ended`() throws {
    try withFolder { folder in
      do {
        let first = try turn(folder)
        #expect(first.reason == nil)
        _ = withExtendedLifetime(first) {
          #expect {
            try turn(folder)
          } throws: { error in
            "\(error)".contains("reports can't be written to '\(folder)': another process has been")
          }
        }
      }
      _ = try turn(folder)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test func `a folder is one folder by whichever name`() throws {
    try withFolder { folder in
      let link = "\(folder)/link"
      try FileManager.default.createDirectory(
        atPath: "\(folder)/real", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
      let first = try turn(link)
      _ = withExtendedLifetime(first) {
        #expect(throws: CommandError.self) { try turn("\(folder)/./real") }
      }
    }
  }

  @Test func `a folder that is gone is made`() throws {
    try withFolder { folder in
      _ = try turn("\(folder)/new/folder")
      #expect(ReportFolder.isFolder("\(folder)/new/folder"))
    }
  }
}
