internal import EventInput

/// Hashed ids as dense numbers, in order of appearance.
struct IdentifierTable: Sendable {
  private(set) var keys: [IdentifierHash] = []
  private var buckets: [UInt32]
  private var mask: Int

  init(minimumCapacity: Int = 512) {
    var size = 1024
    while size < minimumCapacity * 2 { size *= 2 }
    buckets = Array(repeating: .max, count: size)
    mask = size - 1
  }

  var count: Int { keys.count }

  /// The memory it takes.
  var byteCount: Int {
    keys.count * MemoryLayout<IdentifierHash>.stride
      + buckets.capacity * MemoryLayout<UInt32>.stride
  }

  /// The number of `key`, given now if it is new. Ids are keyed hashes already, so their bits serve
  /// as the table's hash.
  mutating func intern(_ key: IdentifierHash) -> UInt32 {
    var position = Int(truncatingIfNeeded: key.low) & mask
    while true {
      let number = buckets[position]
      if number == .max { break }
      if keys[Int(number)] == key { return number }
      position = (position + 1) & mask
    }
    let number = UInt32(truncatingIfNeeded: keys.count)
    if keys.count == keys.capacity { makeRoom() }
    keys.append(key)
    buckets[position] = number
    // At most half full: the first bucket looked at, or the second, is then nearly always the right
    // one.
    if keys.count * 2 > buckets.count { grow() }
    return number
  }

  /// The numbers of many keys at once; a missing key has the number `.max`.
  ///
  /// A table of many ids lies outside the caches. Loads that do not wait for each other overlap, so
  /// the buckets of all keys are read first, then the keys they name, and only then is compared.
  mutating func intern(_ batch: [IdentifierHash], count: Int, into numbers: inout [UInt32]) {
    if numbers.count < count {
      numbers.append(contentsOf: repeatElement(.max, count: count - numbers.count))
    }
    let misses = numbers.withUnsafeMutableBufferPointer { numbers in
      batch.withUnsafeBufferPointer { find($0, count: count, into: numbers) }
    }
    if misses == 0 { return }
    for index in 0..<count where numbers[index] == .max && !batch[index].isMissing {
      numbers[index] = intern(batch[index])
    }
  }

  /// The numbers of the keys that stand in the bucket where they belong, or in the one after it;
  /// `.max` for all others. Returns how many others there are.
  private func find(
    _ batch: UnsafeBufferPointer<IdentifierHash>, count: Int,
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    buckets.withUnsafeBufferPointer { buckets in
      for index in 0..<count {
        numbers[index] = buckets[Int(truncatingIfNeeded: batch[index].low) & mask]
      }
      return keys.withUnsafeBufferPointer { keys in
        var misses = 0
        for index in 0..<count {
          let key = batch[index]
          let number = numbers[index]
          if number != .max && keys[Int(number)] == key { continue }
          // An empty bucket ends the search; the next one lies in the same line of the cache.
          let next =
            number == .max ? number : buckets[(Int(truncatingIfNeeded: key.low) &+ 1) & mask]
          if next != .max && keys[Int(next)] == key {
            numbers[index] = next
          } else {
            numbers[index] = .max
            misses += 1
          }
        }
        return misses
      }
    }
  }

  func find(_ key: IdentifierHash) -> UInt32? {
    var position = Int(truncatingIfNeeded: key.low) & mask
    while buckets[position] != .max {
      if keys[Int(buckets[position])] == key { return buckets[position] }
      position = (position + 1) & mask
    }
    return nil
  }

  /// Gives up what finds a key's number: from here on only `keys` and `count` mean something.
  mutating func forgetNumbers() {
    buckets = [.max]
    mask = 0
  }

  /// Memory that is reserved costs nothing until it is written, but every copy costs: so it is
  /// reserved for many more keys.
  private mutating func makeRoom() {
    keys.reserveCapacity(max(512, keys.count * (keys.count < 4096 ? 2 : 4)))
  }

  private mutating func grow() {
    let size = buckets.count * 2
    mask = size - 1
    buckets = Array(repeating: .max, count: size)
    for (number, key) in keys.enumerated() {
      var position = Int(truncatingIfNeeded: key.low) & mask
      while buckets[position] != .max { position = (position + 1) & mask }
      buckets[position] = UInt32(truncatingIfNeeded: number)
    }
  }
}
