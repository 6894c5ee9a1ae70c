import FlowDefinition
import Testing

@testable import EventInput

/// Tables' words for true and false are read before there is a flow, by bytes: a list of their own.
struct TruthWordTests {
  @Test(arguments: [true, false])
  func `a table's truth values are those that a flow's names have`(truth: Bool) {
    let name = truth ? "true" : "false"
    for word in [name] + NameSpellings.others(of: name) {
      let found = Array(word.utf8).withUnsafeBytes(UntypedValue.truth)
      #expect(found == truth, "\(word)")
    }
    let spellings = Set(NameSpellings.others(of: "true") + NameSpellings.others(of: "false"))
    for word in ["on", "off", "2", "-1", "ja", "tRUE"] {
      #expect(Array(word.utf8).withUnsafeBytes(UntypedValue.truth) == nil)
      #expect(!spellings.contains(word))
    }
  }
}
