internal import CScanKernel
internal import EventInput

/// Hashed ids as dense numbers, in order of appearance.
struct IdentifierTable: Sendable {
  private(set) var keys: [IdentifierHash] = []
  private var buckets: [UInt32]
  private var mask: Int
  /// The most keys there were before it began anew: what they take is kept.
  private var keysBefore = 0
  /// Which of a batch were not guessed; reused.
  private var others: [Int] = []

  init(minimumCapacity: Int = 512) {
    var size = 1024
    while size < minimumCapacity * 2 { size *= 2 }
    buckets = Array(repeating: .max, count: size)
    mask = size - 1
  }

  var count: Int { keys.count }

  /// The memory it takes.
  var byteCount: Int {
    max(keys.count, keysBefore) * MemoryLayout<IdentifierHash>.stride
      + buckets.count * MemoryLayout<UInt32>.stride
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
    intern(batch, at: 0..<count, into: &numbers)
  }

  /// Prefetches the places of many keys, which are looked up soon. Like
  /// everything that fetches it changes nothing, and no address is a wrong one.
  func fetchPlaces(of batch: [IdentifierHash], count: Int) {
    buckets.withUnsafeBufferPointer { buckets in
      guard let start = buckets.baseAddress else { return }
      batch.withUnsafeBufferPointer { batch in
        for index in 0..<count {
          scan_fetch(start + (Int(truncatingIfNeeded: batch[index].low) & mask))
        }
      }
    }
  }

  /// Prefetches the keys that stand in those places and returns their numbers, `.max` for none.
  func fetchKeys(of batch: [IdentifierHash], count: Int, numbers: inout [UInt32]) {
    if numbers.count < count {
      numbers.append(contentsOf: repeatElement(.max, count: count - numbers.count))
    }
    numbers.withUnsafeMutableBufferPointer { numbers in
      batch.withUnsafeBufferPointer { batch in
        buckets.withUnsafeBufferPointer { buckets in
          for index in 0..<count {
            numbers[index] = buckets[Int(truncatingIfNeeded: batch[index].low) & mask]
          }
        }
      }
    }
    fetchKeys(numbers, count: count)
  }

  /// Prefetches the keys of numbers, of which some may be no one's.
  func fetchKeys(_ numbers: [UInt32], count: Int) {
    keys.withUnsafeBufferPointer { keys in
      guard let start = keys.baseAddress, !keys.isEmpty else { return }
      let last = keys.count - 1
      numbers.withUnsafeBufferPointer { numbers in
        for index in 0..<count { scan_fetch(start + min(Int(numbers[index]), last)) }
      }
    }
  }

  /// Prefetches the key of one number.
  func fetchKey(_ number: UInt32) {
    keys.withUnsafeBufferPointer { keys in
      guard let start = keys.baseAddress, !keys.isEmpty else { return }
      scan_fetch(start + min(Int(number), keys.count - 1))
    }
  }

  /// The numbers of many keys, some hundreds at a time.
  mutating func intern(all keys: [IdentifierHash]) -> [UInt32] {
    var numbers = [UInt32](repeating: .max, count: keys.count)
    for start in stride(from: 0, to: keys.count, by: 256) {
      intern(keys, at: start..<min(start + 256, keys.count), into: &numbers)
    }
    return numbers
  }

  /// Interns a batch whose `numbers` hold guesses. A right guess costs one comparison of keys.
  mutating func intern(
    _ batch: [IdentifierHash], count: Int, guessed numbers: inout [UInt32]
  ) {
    // A value of its own for now: it is read while the table is written.
    var others: [Int] = []
    swap(&others, &self.others)
    defer { swap(&others, &self.others) }
    if others.count < count { others = Array(repeating: 0, count: count) }
    var otherCount = 0
    others.withUnsafeMutableBufferPointer { others in
      keys.withUnsafeBufferPointer { keys in
        for index in 0..<count {
          let guess = Int(numbers[index])
          let isRight = guess < keys.count && keys[guess] == batch[index]
          others[otherCount] = index
          otherCount += isRight ? 0 : 1
        }
      }
    }
    intern(batch, at: others[..<otherCount], into: &numbers)
  }

  @inline(__always)
  private mutating func intern(
    _ batch: [IdentifierHash], at indices: some Sequence<Int>, into numbers: inout [UInt32]
  ) {
    let misses = numbers.withUnsafeMutableBufferPointer { numbers in
      batch.withUnsafeBufferPointer { find($0, indices, into: numbers) }
    }
    if misses == 0 { return }
    for index in indices where numbers[index] == .max && !batch[index].isMissing {
      numbers[index] = intern(batch[index])
    }
  }

  /// The numbers of the keys that stand in the bucket where they belong, or in the one after it;
  /// `.max` for all others. Returns how many others there are.
  @inline(__always)
  private func find(
    _ batch: UnsafeBufferPointer<IdentifierHash>, _ indices: some Sequence<Int>,
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    buckets.withUnsafeBufferPointer { buckets in
      for index in indices {
        numbers[index] = buckets[Int(truncatingIfNeeded: batch[index].low) & mask]
      }
      return keys.withUnsafeBufferPointer { keys in
        var misses = 0
        for index in indices {
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

  /// Begins anew, with room for as many.
  mutating func removeAll() {
    keysBefore = max(keys.count, keysBefore)
    keys.removeAll(keepingCapacity: true)
    buckets.withUnsafeMutableBufferPointer { $0.update(repeating: .max) }
  }

  private mutating func makeRoom() {
    keys.reserveCapacity(max(512, Self.capacity(for: keys.count * 2)))
  }

  /// Memory that is reserved costs nothing until it is written, but every copy costs, and every
  /// page that was not written before: so a large table reserves for many more.
  private static func capacity(for count: Int) -> Int { count < 8192 ? count : count * 4 }

  private mutating func grow() {
    let size = buckets.count * 2
    mask = size - 1
    if buckets.capacity < size {
      buckets = []
      buckets.reserveCapacity(Self.capacity(for: size))
    } else {
      buckets.removeAll(keepingCapacity: true)
    }
    buckets.append(contentsOf: repeatElement(.max, count: size))
    for (number, key) in keys.enumerated() {
      var position = Int(truncatingIfNeeded: key.low) & mask
      while buckets[position] != .max { position = (position + 1) & mask }
      buckets[position] = UInt32(truncatingIfNeeded: number)
    }
  }
}
