// Numbers that are no ids any more: floating point has lost their last digits (definitions 3.1).
extension EventScanner {
  /// A leaf's value as an id: its text; `nil` for a number that may be any of several ids.
  @inline(never)
  func identifierText(_ leaf: Int) -> UnsafeRawBufferPointer? {
    guard let text = unsafe scalarText(leaf) else { return nil }
    return unsafe isRounded(leaf, text) ? nil : text
  }

  /// Whether a leaf holds a number that was written in floating point and is 2⁵³ or more: not each
  /// of these whole numbers is one there.
  ///
  /// - Parameter text: its plain text.
  func isRounded(_ leaf: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    guard unsafe lines.kinds[leaf] == ValueKind.number else { return false }
    let written = unsafe UnsafeRawBufferPointer(
      start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
    return unsafe RoundedNumber.isOne(written, plain: text)
  }
}
