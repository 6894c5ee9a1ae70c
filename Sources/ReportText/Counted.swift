/// Names with counts, in a fixed order.
package enum Counted {
  /// The largest count first; of equals by the bytes of the names.
  package static func mostFirst(_ counts: [String: Int]) -> [(String, Int)] {
    ByteOrder.sorted(counts.keys).map { ($0, counts[$0] ?? 0) }.enumerated().sorted {
      $0.element.1 != $1.element.1 ? $0.element.1 > $1.element.1 : $0.offset < $1.offset
    }.map(\.element)
  }
}
