import EventInput
import Testing

/// Which names are kept depends on nothing but the names.
struct NameTableTests {
  static func kept(_ table: NameTable) -> Set<String> {
    Set(table.codes.filter { !table.isOther($0) }.map(table.name(of:)))
  }

  @Test func declaredNamesHaveTheFirstCodes() {
    var table = NameTable(plan: NameTablePlan(declared: ["b", "a"], limit: 1))
    #expect(table.code(of: "a") == 2)
    #expect(table.code(of: "b") == 1)
    #expect(table.code(of: "") == 0)
    let code = table.code(of: "c")
    #expect(code == 3)
    #expect(table.name(of: code) == "c")
    #expect(table.name(of: 0) == "(none)")
    #expect(table.name(of: NameTable.other) == "(other)")
    #expect(table.codes == 1..<4)
  }

  @Test(arguments: [0, 1, 5, 40], [false, true])
  func orderAndSplittingDoNotMatter(limit: Int, tellsOthersApart: Bool) {
    let plan = NameTablePlan(
      declared: ["name 3", "name 7"], limit: limit, tellsOthersApart: tellsOthersApart)
    let names = (0..<200).map { "name \($0)" }
    var whole = NameTable(plan: plan)
    for name in names { _ = whole.code(of: name) }
    let expected = Self.kept(whole)
    #expect(expected.count == limit + 2)

    for seed in 1...30 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var parts = (0..<3).map { _ in NameTable(plan: plan) }
      var codes: [[(String, UInt32)]] = [[], [], []]
      // Repetition must not matter either.
      for name in (names + names).shuffled(using: &generator) {
        let part = Int.random(in: 0..<3, using: &generator)
        codes[part].append((name, parts[part].code(of: name)))
      }
      var merged = NameTable(plan: plan)
      var maps: [(Int, NameCodeMap)] = []
      for part in [0, 1, 2].shuffled(using: &generator) {
        maps.append((part, merged.merge(parts[part])))
      }
      #expect(Self.kept(merged) == expected)
      for (part, map) in maps {
        for (name, code) in codes[part] {
          let final = merged.canonical(map[code: code])
          #expect(merged.isOther(final) == !expected.contains(name))
          if expected.contains(name) {
            #expect(merged.name(of: final) == name)
          } else {
            // The same mark wherever and whenever the name was seen.
            #expect(final == whole.canonical(whole.code(of: name)))
            #expect(tellsOthersApart == (final != NameTable.other))
          }
        }
      }
    }
  }

  @Test func longNamesAreCutAndStayDifferent() {
    var table = NameTable(plan: NameTablePlan(declared: []))
    let long = String(repeating: "é", count: 500_000)
    let codes = [
      table.code(of: long + "a"), table.code(of: long + "b"), table.code(of: long + "a"),
    ]
    #expect(codes[0] == codes[2])
    #expect(codes[0] != codes[1])
    #expect(table.name(of: codes[0]).utf8.count <= 256)
    #expect(table.name(of: codes[0]).hasPrefix("éé"))
    var other = NameTable(plan: NameTablePlan(declared: []))
    #expect(other.merge(table)[code: codes[1]] == codes[1])
    #expect(other.code(of: long + "a") == codes[0])
  }

  /// Stored tables and tables of other machines were made with this hash.
  @Test func stableHashIsPinned() {
    #expect(NameTable.stableHash(of: "welcome") == 932_693_693_184_024_893)
  }
}
