import FlowDefinition
import Foundation
import Testing

@Suite struct FlowFileTests {
  @Test func `an unknown name suggests the nearest built-in flow`() {
    let error = #expect(throws: FlowFileLoadError.self) { try FlowFile.load("dequeu") }
    #expect(error == .unknownName("dequeu", suggestion: "dequeue"))
    #expect(
      error?.description == "no built-in flow and no file is called 'dequeu'; built in: memoss, "
        + "unforgotten, aiq, trendy, dequeue; did you mean 'dequeue'?")
  }

  @Test func `a path without a file is not found`() {
    let error = #expect(throws: FlowFileLoadError.self) { try FlowFile.load("no/such.yaml") }
    #expect(error?.description == "no/such.yaml: no such file")
  }

  @Test func `a directory is no flow file`() {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let error = #expect(throws: FlowFileLoadError.self) { try FlowFile.load(path) }
    #expect(error == .isDirectory(path: path))
  }

  @Test func `a path is read, and its mistakes carry it`() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("first-mile-\(ProcessInfo.processInfo.globallyUniqueString).yaml")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("flow: mine\nsteps: [a]\n".utf8).write(to: url)
    #expect(try FlowFile.load(url.path).id == "mine")
    try Data("flow: mine\nsteps: a\n".utf8).write(to: url)
    let error = #expect(throws: FlowFileErrors.self) { try FlowFile.load(url.path) }
    #expect(error?.description == "\(url.path):2:8: 'steps' must be a list, found 'a'")
  }
}
