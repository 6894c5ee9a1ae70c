import EventInput
import Foundation
import Testing

/// Which files an argument means.
struct InputExpansionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in [
      "b.ndjson", "a.jsonl.gz", "truth.json", "notes.md", ".hidden.ndjson", "old.ndjson.bak",
      "deep/z.ndjson.zst", "deep/deeper/c.ndjson", "Ä.ndjson", "x1.log", "x2.log",
    ] {
      try folder.write([], name)
    }
  }

  private func names(_ arguments: [String]) -> [String] {
    InputExpansion.expand(arguments.map { $0 == "-" ? $0 : "\(folder.path)/\($0)" }).sources
      .map { $0.name.replacing("\(folder.path)/", with: "") }
  }

  @Test func folders() {
    let all = ["a.jsonl.gz", "b.ndjson", "deep/deeper/c.ndjson", "deep/z.ndjson.zst", "Ä.ndjson"]
    #expect(names([""]).map { $0.replacing("/", with: "/") } == all)
    #expect(names(["deep"]) == ["deep/deeper/c.ndjson", "deep/z.ndjson.zst"])
  }

  /// A pipe that nobody writes to would be waited for: in a folder it is passed over.
  @Test func pipes() {
    #expect(mkfifo("\(folder.path)/deep/pipe.ndjson", 0o600) == 0)
    #expect(names(["deep"]) == ["deep/deeper/c.ndjson", "deep/z.ndjson.zst"])
    #expect(names(["deep/*.ndjson"]).isEmpty)
    #expect(names(["deep/pipe.ndjson"]) == ["deep/pipe.ndjson"])
  }

  @Test func patterns() {
    #expect(names(["*.ndjson"]) == ["b.ndjson", "Ä.ndjson"])
    #expect(names(["x?.log"]) == ["x1.log", "x2.log"])
    #expect(names(["x[2-9].log"]) == ["x2.log"])
    #expect(names(["x[!2-9].log"]) == ["x1.log"])
    #expect(names(["**/*.ndjson"]) == ["b.ndjson", "deep/deeper/c.ndjson", "Ä.ndjson"])
    #expect(names(["deep/*/*.ndjson"]) == ["deep/deeper/c.ndjson"])
    #expect(names(["d*"]) == ["deep/deeper/c.ndjson", "deep/z.ndjson.zst"])
  }

  @Test func eachFileOnce() throws {
    #expect(
      names(["b.ndjson", "./b.ndjson", "-", "-", "*.ndjson"]) == [
        "b.ndjson", "-", "Ä.ndjson",
      ])
    #expect(names(["truth.json"]) == ["truth.json"])
  }

  @Test func problems() {
    let (sources, problems, passedOver) = InputExpansion.expand([
      "\(folder.path)/missing", "\(folder.path)/*.none", "\(folder.path)/b.ndjson",
    ])
    #expect(sources.count == 1)
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { !$0.message.isEmpty })
    #expect(passedOver.isEmpty)
  }
}
