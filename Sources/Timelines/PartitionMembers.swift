internal import EventInput

/// Which of a worker's persons have facts in each partition, in the order of their numbers.
struct PartitionMembers: Sendable {
  private let numbers: [UInt32]
  /// Where each partition's begin in `numbers`, and where the last one's end.
  private let starts: [Int]

  /// - Parameters:
  ///   - keys: by the person's number.
  ///   - facts: how many facts each of them has.
  init(keys: [IdentifierHash], facts: [UInt32]) {
    var starts = [Int](repeating: 0, count: FactCollector.partitionCount + 1)
    for (key, facts) in zip(keys, facts) where facts > 0 {
      starts[FactCollector.partition(of: key) + 1] += 1
    }
    for partition in 0..<FactCollector.partitionCount {
      starts[partition + 1] += starts[partition]
    }
    let total = starts[FactCollector.partitionCount]
    var cursors = starts
    numbers = [UInt32](unsafeUninitializedCapacity: total) { numbers, initialized in
      for number in 0..<min(keys.count, facts.count) where facts[number] > 0 {
        let partition = FactCollector.partition(of: keys[number])
        numbers[cursors[partition]] = UInt32(truncatingIfNeeded: number)
        cursors[partition] += 1
      }
      initialized = total
    }
    self.starts = starts
  }

  /// The persons of a partition, as numbers of the worker's.
  func persons(_ partition: Int) -> ArraySlice<UInt32> {
    numbers[starts[partition]..<starts[partition + 1]]
  }
}
