import FlowDefinition
import Foundation
import Testing

@testable import FirstMileCommands

/// Which folder a path means, and where the files of a command go.
@Suite struct PathTests {
  private func flow(_ id: String) throws -> Flow {
    try FlowParser.parse("flow: \(id)\nsteps: [welcome, plan]\n", file: "app.yaml").flow
  }

  @Test func `the folder of a path is what stands before its last name`() {
    let folders = [
      "a/b": "a", "/a/b": "/a", "a/b//": "a", "a": "", "./a": ".", "/a": "/", "/": "/", "": "",
      "a/..": "a",
    ]
    for (path, folder) in folders { #expect(FolderOfPath.of(path) == folder, "\(path)") }
  }

  @Test func `each flow of several has a folder of its own`() throws {
    let (one, other) = (try flow("app"), try flow("shop"))
    #expect(try ReportFolders.within("out//", [one, other]) == ["out/app", "out/shop"])
    #expect(try ReportFolders.within("/", [one]) == ["/app"])
    let upper = try flow("APP")
    #expect(throws: CommandError.self) { try ReportFolders.within("out", [one, other, upper]) }
  }

  @Test func `a report in an index lies in the folder of the index`() throws {
    let place = try #require(try IndexPages.Place("reports/", out: "reports/aiq/"))
    #expect(place.folder == "reports" && place.report == "aiq" && place.day == nil)
    #expect(try IndexPages.Place(nil, out: "reports/aiq") == nil)
    for out in ["reports", "reports/", "reports2/aiq", "aiq", nil] {
      #expect(throws: CommandError.self, "\(out ?? "")") {
        try IndexPages.Place("reports", out: out)
      }
    }
  }

  @Test func `a gate's baseline lies beside the gate file`() throws {
    let flow = try flow("app")
    func path(_ baseline: String, file: String) throws -> String? {
      let text = "baseline: \(baseline)\nrules: [{metric: completion_rate, at_least: 50%}]\n"
      return GateInput.baselinePath(try GateParser.parse(text, file: file, for: flow).gate)
    }
    #expect(try path("base.json", file: "gates/app.yaml") == "gates/base.json")
    #expect(try path("../base.json", file: "app.yaml") == "../base.json")
    #expect(try path("/var/base.json", file: "gates/app.yaml") == "/var/base.json")
  }
}
