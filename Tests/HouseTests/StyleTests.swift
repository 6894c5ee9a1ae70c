import Foundation
import Testing

/// The habits that a reader of this code may count on.
@Suite struct StyleTests {
  private static let libraries = [
    "FlowDefinition", "WorkerThreads", "EventInput", "Timelines", "FlowDrafting", "FunnelEngine",
    "ExperimentStatistics", "ReportText", "FunnelMetrics", "ReportFindings", "RegressionGate",
    "FunnelReport", "FirstMileLibrary", "OnboardingEvents", "FirstMileSimulation",
  ]

  @Test func `the counter of functions counts as a reader would`() {
    let text = SwiftText(
      """
      struct Example {
        let brace = "{ \\(call("}")) {"  // {
        func short() { }
        private static func long(
          closure: () -> Void = {}
        ) -> Int {
          /* } */
          if true { return 1 }
          return 2
        }
      }
      protocol Shape {
        func area() -> Int
        init?(name: String)
      }
      """)
    #expect(text.functions.map(\.line) == [3, 4])
    #expect(text.functions.map(\.length) == [1, 7])
  }

  @Test func `no Swift file is longer than 400 lines`() throws {
    let files = try SourceTree.swiftFiles(in: "Sources")
    #expect(files.count > 100)
    for file in files {
      #expect(file.lines.count <= 401, "\(file) has \(file.lines.count - 1) lines")
    }
  }

  @Test func `no function is longer than 60 lines`() throws {
    var functions = 0
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for function in SwiftText(file.text).functions {
        functions += 1
        #expect(
          function.length <= 60, "\(file):\(function.line): a function of \(function.length) lines")
      }
    }
    #expect(functions > 400)
  }

  @Test func `no line is longer than 100 characters`() throws {
    // The formatter lets comments and long strings pass; in tests, so do we.
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for (index, line) in file.lines.enumerated() where line.count > 100 {
        Issue.record("\(file):\(index + 1): \(line.count) characters")
      }
    }
  }

  /// What a protocol of Swift asks for is documented there, and a result builder's parts by its own
  /// comment.
  private static func isDocumentedElsewhere(_ line: some StringProtocol) -> Bool {
    String(line).contains(
      #/ (var description|var (start|end)Index|subscript\(position|func (hash|encode)|static func (==|<|build))|init\((from decoder|\w*[lL]iteral)/#
    )
  }

  @Test func `what the front doors and flows offer has a comment`() throws {
    var symbols = 0
    for file in try SourceTree.swiftFiles(in: "Sources")
    where ["FirstMileLibrary", "OnboardingEvents", "FlowDefinition"].contains(file.target) {
      let lines = file.lines.map { $0.trimmingPrefix(while: \.isWhitespace) }
      var isInText = false
      for (number, line) in lines.enumerated() {
        if line.contains("\"\"\"") { isInText.toggle() }
        if isInText || !line.hasPrefix("public ") || line.hasPrefix("public import") { continue }
        // What makes a part of a flow from its properties has their comments.
        if file.target == "FlowDefinition", line.contains(/init\([^_]|init\($/) { continue }
        if Self.isDocumentedElsewhere(line) { continue }
        symbols += 1
        let before = lines[..<number].last { !$0.hasPrefix("@") } ?? ""
        #expect(before.hasPrefix("///"), "\(file):\(number + 1): \(line)")
      }
    }
    #expect(symbols > 400)
  }

  @Test func `libraries never print`() throws {
    let files = try SourceTree.swiftFiles(in: "Sources")
    for file in files where Self.libraries.contains(file.target) {
      expectNone(of: ["print(", "debugPrint(", "dump(", "NSLog(", "putchar("], in: file)
    }
  }

  @Test func `nothing in the sources gives up on input`() throws {
    for file in try SourceTree.swiftFiles(in: "Sources") {
      expectNone(of: ["try!", "fatalError", "as!", "preconditionFailure"], in: file)
    }
  }

  @Test func `columns of a store are read by one type, which trusts none`() throws {
    // GRDB's own ways of decoding trap where a file holds something else than was written.
    let decoding = [
      "Row.fetch", "fetchOne", "fetchAll", "fetchSet", "fetchCursor", "row[", "FetchableRecord",
      "fromDatabaseValue", "DatabaseMigrator", "databaseValues",
    ]
    var readers = 0
    for var file in try SourceTree.swiftFiles(in: "Sources") where file.text.contains("GRDB") {
      if file.path.hasSuffix("FirstMileStore/SealedTables.swift") {
        readers += 1
        // What a column holds, whatever it is: only where a type is asked for is anything decoded.
        file.text.replace("row[$0]?.databaseValue", with: "")
        expectNone(
          of: decoding.filter { $0 != "Row.fetch" && $0 != "databaseValues" }
            .filter { $0 != "fetchCursor" }, in: file)
      } else {
        expectNone(of: decoding, in: file)
      }
    }
    #expect(readers == 1)
  }

  @Test func `names say what a thing is`() throws {
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for word in ["Manager", "Helper", "Utils", "Utilities", "Misc"] {
        #expect(!file.path.contains(word), "\(file)")
      }
    }
  }

  /// Words are looked for in code, not in comments and strings, and only as whole words.
  private func expectNone(of words: [String], in file: SourceTree.File) {
    let words = words.filter(file.text.contains)
    guard !words.isEmpty else { return }
    for (index, line) in SwiftText(file.text).lines.enumerated() {
      for word in words {
        for range in line.ranges(of: word) {
          let before = range.lowerBound > line.startIndex ? line[..<range.lowerBound].last : nil
          let isWhole = before.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
          #expect(!isWhole, "\(file):\(index + 1): \(word)")
        }
      }
    }
  }

  /// What comments said in a dialect that sounded translated: things are reported, recorded, shown
  /// or yielded, memory is released or spilled, and facts without a user have none.
  private static let dialect =
    #"(?i)\b(told|tells|who(so)?ever|everybody\s+who|nobody['’]s|lets?\s+go|laid\s+aside"#
    + #"|brings\s+home|hands\s+out)\b|^///? (?-i:The) same "#

  @Test func `comments are written in the words of the field`() throws {
    let dialect = try NSRegularExpression(pattern: Self.dialect)
    func words(_ comment: String) -> String? {
      let found = dialect.firstMatch(
        in: comment, range: NSRange(comment.startIndex..., in: comment))
      return found.flatMap { Range($0.range, in: comment) }.map { String(comment[$0]) }
    }
    #expect(words("/// The same map.") != nil && words("// It Tells it.") == "Tells")
    #expect(words("/// the same map, of an untold size") == nil)
    var comments = 0
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for (index, line) in file.lines.enumerated() {
        let comment = line.trimmingPrefix(while: \.isWhitespace)
        guard comment.hasPrefix("//") else { continue }
        comments += 1
        if let found = words(String(comment)) {
          Issue.record("\(file):\(index + 1): '\(found)': say it in the field's words")
        }
      }
    }
    #expect(comments > 5_000)
  }
}
