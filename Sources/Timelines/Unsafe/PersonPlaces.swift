/// For each person of a worker its place in the partition that is being gathered.
///
/// Partitions are gathered by several tasks at once, and a person's facts stand in one partition:
/// each element has one task that reads and writes it.
///
/// Invariant: `places` holds `count` initialised elements, `.max` for a person not yet met; the
/// task that gathers a partition writes those of its persons before reading them.
final class PersonPlaces: @unchecked Sendable {
  private let places: UnsafeMutablePointer<UInt32>
  private let count: Int

  init(count: Int) {
    self.count = count
    places = .allocate(capacity: max(1, count))
    places.initialize(repeating: .max, count: count)
  }

  deinit {
    places.deallocate()
  }

  /// The place of a person, below `count`.
  @inline(__always)
  subscript(person: UInt32) -> UInt32 {
    get { places[Int(person)] }
    set { places[Int(person)] = newValue }
  }
}
