/// A list that is made once and read for every event: without the counting of references that an
/// array brings.
///
/// Invariant: `elements` holds `count` initialised elements until `deallocate`.
@safe struct FixedList<Element> {
  private let elements: UnsafeMutablePointer<Element>
  let count: Int

  init(_ list: [Element]) {
    count = list.count
    unsafe elements = .allocate(capacity: max(1, list.count))
    for (index, element) in list.enumerated() { unsafe (elements + index).initialize(to: element) }
  }

  func deallocate() {
    unsafe elements.deinitialize(count: count)
    unsafe elements.deallocate()
  }

  /// `index` must be in 0 ..< `count`.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Element> { unsafe elements + index }

  /// What `body` makes of the first element of which it makes something.
  @inline(__always)
  func first<Result>(_ body: (Element) -> Result?) -> Result? {
    var index = 0
    while index < count {
      if let result = unsafe body(elements[index]) { return result }
      index &+= 1
    }
    return nil
  }
}
