/// A list of plain values that never moves.
///
/// Invariant: `start` leads to `capacity` places, of which the first `count` are initialised.
struct TemplateList<Element: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Element>
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  func deallocate() { start.deallocate() }

  @inline(__always)
  subscript(index: Int) -> Element { start[index] }

  func hasRoom(for more: Int) -> Bool { count + more <= capacity }

  /// Adds elements, for which there must be room; returns the place of the first.
  mutating func add(_ elements: [Element]) -> Int32 {
    for (index, element) in elements.enumerated() {
      (start + count + index).initialize(to: element)
    }
    defer { count += elements.count }
    return Int32(count)
  }
}
