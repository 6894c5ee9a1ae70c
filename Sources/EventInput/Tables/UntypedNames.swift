/// How the texts in a column of a table are matched with the names that a flow has for its values.
///
/// A text that is one of the names stays as it is. Another one that means the same number or truth
/// value is taken for it.
struct UntypedNames {
  private let declared: Set<[UInt8]>
  private let isNumber: Bool
  private let hasTruth: Bool

  init(declared: [String], isNumber: Bool) {
    self.declared = Set(declared.map { NameTable.composed(Array($0.utf8)) })
    self.isNumber = isNumber
    hasTruth = declared.contains("true") || declared.contains("false")
  }

  /// The spelling under which a text is known; `nil` for the text's own.
  func spelling(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    if declared.contains(Array(text)) { return nil }
    if let count = UntypedValue.wholeDigits(text) {
      let digits = Array(text[..<count])
      if isNumber || declared.contains(digits) { return digits }
    }
    // `t`, 1 and `no` may be anything where nobody asks for a truth value.
    let truth = hasTruth ? UntypedValue.truth(text) : UntypedValue.plainTruth(text)
    return truth.map { Array(($0 ? "true" : "false").utf8) }
  }
}
