import ReferenceEvaluator
import Testing

/// The reference agrees with every case that people worked out by hand.
struct CaseTests {
  @Test func everyCase() throws {
    let cases = try CaseFile.loadAll()
    #expect(cases.count >= 90)
    for file in cases {
      let result = ReferenceEvaluator(flow: file.flow, options: file.options)
        .evaluate(lines: file.lines)
      for row in file.expected {
        let mismatch = row.mismatch(in: result.rows)
        #expect(mismatch == nil, "\(file.name): \(file.why)")
      }
      for (name, count) in file.expectedQuality {
        #expect(result.quality[name, default: 0] == count, "\(file.name): quality \(name)")
      }
      if let horizon = file.expectedHorizonMilliseconds {
        #expect(result.horizonMilliseconds == horizon, "\(file.name): horizon")
      }
    }
  }

  @Test func everyCaseExpectsSomething() throws {
    for file in try CaseFile.loadAll() {
      let count = file.expected.count + file.expectedQuality.count
      #expect(count > 0 || file.expectedHorizonMilliseconds != nil, "\(file.name)")
    }
  }

  @Test func noRowStandsTwice() throws {
    for file in try CaseFile.loadAll() {
      let rows = ReferenceEvaluator(flow: file.flow, options: file.options)
        .evaluate(lines: file.lines).rows
      #expect(Set(rows.map(\.key)).count == rows.count, "\(file.name)")
      #expect(rows == rows.sorted(), "\(file.name)")
    }
  }
}
