import FlowDefinition
import Foundation
import Testing

@testable import Timelines

/// The private folder: who may read it, when it goes, what happens when the disk lies or is full.
struct SpillFolderTests {
  /// - Parameter flow: 0 for a flow whose facts are stitched, 1 for one that goes by users alone.
  private func spilled(flow number: Int) async throws -> (
    input: LinesInFiles, folder: SpillFolder, timelines: Timelines
  ) {
    let flow = try SpillTests.flows()[number]
    let input = try LinesInFiles(SpillTests.files(seed: 8, flow: flow, persons: 30))
    let folder = SpillFolder(parent: input.spillParent.path)
    return (input, folder, try await input.timelines(flow, memoryBytes: 1, folder: folder))
  }

  @Test func onlyTheOwnerMayLookInside() async throws {
    let (input, folder, timelines) = try await spilled(flow: 0)
    defer { withExtendedLifetime(input) {} }
    let path = try #require(folder.path)
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o700)
    // What was needed to find out whose facts are is gone when that is known.
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(
      files.sorted() == ["2-stitched.facts", "collected-0.facts", "stitched.facts"], "\(files)")
    #expect(try timelines.counts.facts > 0)
    folder.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(folder.path == nil)
  }

  @Test func theFolderGoesWithItsOwner() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles(SpillTests.files(seed: 9, flow: flow, persons: 30))
    #expect(try await input.timelines(flow, memoryBytes: 1).counts.facts > 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: input.spillParent.path) == [])
  }

  @Test func everyFlippedByteIsNoticed() async throws {
    let (input, folder, timelines) = try await spilled(flow: 1)
    defer { withExtendedLifetime(input) {} }
    let path = try #require(folder.path) + "/collected-0.facts"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count > 2000)
    for place in stride(from: 0, to: bytes.count, by: 97) {
      bytes[place] ^= 0x10
      try overwrite(path, bytes)
      var damaged: [SpillError] = []
      for index in 0..<timelines.partitionCount {
        do { _ = try timelines.partition(index) } catch { damaged.append(error) }
      }
      #expect(damaged.count == 1, "byte \(place)")
      guard case .damaged(let file, let offset)? = damaged.first else {
        Issue.record("byte \(place): \(damaged)")
        return
      }
      #expect(file == path)
      #expect(offset <= place)
      #expect(damaged[0].description.contains(path))
      bytes[place] ^= 0x10
    }
  }

  @Test func aFileThatLostItsEndIsNoticed() async throws {
    let (input, folder, timelines) = try await spilled(flow: 1)
    defer { withExtendedLifetime(input) {} }
    let path = try #require(folder.path) + "/collected-0.facts"
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 100)
    #expect(throws: SpillError.self) { try LinesInFiles.facts(timelines) }
  }

  @Test func aFolderThatCanNotBeMadeIsToldWithItsPlace() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles(SpillTests.files(seed: 8, flow: flow, persons: 30))
    let folder = SpillFolder(parent: input.spillParent.appendingPathComponent("nowhere").path)
    await #expect {
      _ = try await input.timelines(flow, memoryBytes: 1, folder: folder)
    } throws: { error in
      guard case SpillError.folder(let place, _) = error else { return false }
      return place.hasSuffix("nowhere") && "\(error)".contains("TMPDIR")
    }
  }

  @Test func nothingIsMadeAfterRemoval() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles(SpillTests.files(seed: 8, flow: flow, persons: 30))
    let folder = SpillFolder(parent: input.spillParent.path)
    folder.remove()
    await #expect(throws: SpillError.self) {
      _ = try await input.timelines(flow, memoryBytes: 1, folder: folder)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: input.spillParent.path) == [])
  }

  #if os(Linux)
    @Test func aFullDiskIsAnErrorOfItsOwn() throws {
      let file = try SegmentFile(opening: "/dev/full")
      let bytes: [UInt8] = [1, 2, 3]
      #expect(throws: SpillError.noSpace("/dev/full")) {
        _ = try bytes.withUnsafeBytes { try file.append($0) }
      }
      #expect(SpillError.noSpace("x").description.contains("--memory-limit"))
    }
  #endif

  /// Changes a file in place: it is still open in this process.
  private func overwrite(_ path: String, _ bytes: Data) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: bytes)
    try file.close()
  }
}
