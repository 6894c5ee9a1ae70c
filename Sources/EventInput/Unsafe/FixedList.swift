/// A list that is made once and read for every event: without the counting of references that an
/// array brings.
///
/// Invariant: `elements` holds `count` initialised elements until `deallocate`.
struct FixedList<Element> {
  private let elements: UnsafeMutablePointer<Element>
  let count: Int

  init(_ list: [Element]) {
    count = list.count
    elements = .allocate(capacity: max(1, list.count))
    for (index, element) in list.enumerated() { (elements + index).initialize(to: element) }
  }

  func deallocate() {
    elements.deinitialize(count: count)
    elements.deallocate()
  }

  /// `index` must be in 0 ..< `count`.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Element> { elements + index }
}
