import FlowDefinition
import ReferenceEvaluator
import Testing

/// Every worked-out case, through files, scanner, identity, engine and analysis.
struct CaseTests {
  @Test func everyCaseAgrees() async throws {
    let cases = try CaseFile.loadAll()
    #expect(cases.count > 150)
    for example in cases {
      let found = try await Evaluated(
        files: [example.lines], flow: example.flow, options: example.options)
      for expected in example.expected {
        let isNothing = expected.row.numerator == 0 && (expected.row.denominator ?? 0) == 0
        let mismatch = expected.mismatch(in: found.rows)
        if mismatch != nil && isNothing
          && !found.rows.contains(where: { $0.key == expected.row.key })
        {
          continue
        }
        #expect(mismatch == nil, "\(example.name): \(example.why)")
      }
      for (name, count) in example.expectedQuality {
        #expect(found.quality[name] == count, "\(example.name): \(name), \(example.why)")
      }
      if let horizon = example.expectedHorizonMilliseconds {
        #expect(found.horizonMilliseconds == horizon, "\(example.name): \(example.why)")
      }
    }
  }
}
