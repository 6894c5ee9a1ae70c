import FlowDefinition
import Foundation
import Testing

@Suite struct BuiltInFlowTests {
  @Test(arguments: FlowFile.builtInNames)
  func `every built-in flow parses without a remark`(name: String) throws {
    let parsed = try FlowFile.read(name)
    #expect(parsed.warnings == [])
    #expect(parsed.flow.id == name)
    #expect(parsed.flow.experiments.count == 1)
    #expect(parsed.flow.dimensions.map(\.id).prefix(3) == ["app_version", "os", "locale"])
    #expect(parsed.flow.dimensions.count == 4)
  }

  @Test(arguments: FlowFile.builtInNames)
  func `the embedded text is the file in flows`(name: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = try Data(contentsOf: root.appendingPathComponent("flows/\(name).yaml"))
    #expect(FlowFile.builtInText(name)?.utf8.elementsEqual(file) == true)
  }
}
