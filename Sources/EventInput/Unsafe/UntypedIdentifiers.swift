/// The ids in a table's row as other formats have them: `42.0` is 42, and neither a number that a
/// spreadsheet has rounded nor R's `NA` is one.
struct UntypedIdentifiers {
  private let leaves: [Int]

  /// - Parameters:
  ///   - identifiers: the paths of ids in the plan.
  ///   - leaf: the leaf at a path.
  /// - Returns: `nil` for a format whose values have types.
  init?(_ format: EventFormat, _ identifiers: [[String]], _ leaf: ([String]?) -> Int?) {
    guard format.isUntyped else { return nil }
    let mixed = format.mixedIdentity.map { $0.distinct + $0.before } ?? []
    let aliases = format.alias.map { $0.users + $0.devices + $0.others } ?? []
    leaves = Set((identifiers + mixed + aliases).compactMap { leaf($0) }).sorted()
  }

  /// Puts the ids of the row that was walked in order.
  ///
  /// - Returns: what stands in the place of an id, if anything does.
  func read(_ lines: LineScanner) -> PlaceholderIdentifier? {
    var found: PlaceholderIdentifier?
    for leaf in leaves where unsafe lines.kinds[leaf] == ValueKind.string {
      let start = unsafe lines.starts[leaf]
      let text = unsafe UnsafeRawBufferPointer(start: start, count: lines.ends[leaf] - start)
      if let count = unsafe UntypedValue.wholeDigits(text) {
        if unsafe RoundedNumber.isOne(text, plain: text) {
          unsafe lines.kinds[leaf] = ValueKind.missing
          found = .rounded
        }
        unsafe lines.ends[leaf] = start + count
      } else if unsafe UntypedValue.isRounded(text) {
        unsafe lines.kinds[leaf] = ValueKind.missing
        found = .rounded
      } else if unsafe UntypedValue.isNotAvailable(text) {
        unsafe lines.kinds[leaf] = ValueKind.missing
        found = found ?? .notAvailable
      }
    }
    return found
  }
}
