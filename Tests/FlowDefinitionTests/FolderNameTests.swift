import FlowDefinition
import Testing

@Suite struct FolderNameTests {
  private func name(_ id: String) throws -> String {
    var flow = try parsedFlow("window: 24h")
    flow.id = id
    return flow.folderName
  }

  @Test(arguments: [
    "aiq", "AIQ 2", "first.run", "v1.2-beta_3", "onboarding (new)", "Einführung", "初回", "a b.c",
    "é",
    "👋 hello", "~home", "-rf", "$HOME", "50 percent",
  ])
  func `names that file systems take stay as they are`(id: String) throws {
    #expect(try name(id) == id)
  }

  @Test(arguments: [
    ("../../escaped", "%2E.%2F..%2Fescaped"), (".", "%2E"), ("..", "%2E%2E"), ("...", "%2E.%2E"),
    ("/etc", "%2Fetc"), ("a/b", "a%2Fb"), ("a\\b", "a%5Cb"), ("c:", "c%3A"),
    (".hidden", "%2Ehidden"),
    ("end.", "end%2E"), ("50%", "50%25"), ("a%2Fb", "a%252Fb"), ("what?", "what%3F"),
    ("a\u{0}b", "a%00b"), ("a\nb", "a%0Ab"), ("a\u{202E}b", "a%E2%80%AEb"),
    ("a\u{2028}b", "a%E2%80%A8b"), ("nul", "%6Eul"), ("CON.txt", "%43ON.txt"), ("com1", "%63om1"),
    ("console", "console"), ("company", "company"), ("index.html", "%69ndex.html"),
    ("Index.json", "%49ndex.json"), ("index", "index"),
  ])
  func `what leads elsewhere or is kept by a system is escaped`(id: String, is expected: String)
    throws
  {
    #expect(try name(id) == expected)
  }

  @Test func `long ids have short names, and different ones`() throws {
    let names = try ["/", "é", "x", "👋"].flatMap { sign in
      let long = String(repeating: sign, count: 200)
      return [try name(long), try name(long + "a"), try name(long + "b")]
    }
    #expect(names.allSatisfy { $0.utf8.count <= 200 })
    #expect(Set(names).count == names.count)
  }

  @Test func `no name of random ids leaves its folder, and no two are the same`() throws {
    var generator = SeededGenerator(seed: 7)
    let signs = Array("./\\%:a2EF \u{0}\u{202E}é~-N")
    var names: [String: String] = [:]
    for _ in 0..<5000 {
      let length = Int.random(in: 1...6, using: &generator)
      let id = String((0..<length).map { _ in signs.randomElement(using: &generator) ?? "a" })
      let made = try name(id)
      #expect(!made.contains("/") && !made.contains("\0") && !made.hasPrefix("."))
      #expect(names[made] == nil || names[made] == id, "\(made)")
      names[made] = id
    }
  }
}

/// A generator with a fixed seed, so that every run draws the same numbers.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
