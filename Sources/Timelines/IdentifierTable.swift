internal import EventInput

/// Hashed ids as dense numbers, in order of appearance; for as many as a partition has.
struct IdentifierTable: Sendable {
  private(set) var keys: [IdentifierHash] = []
  private var buckets: [UInt32]
  private var mask: Int

  init(minimumCapacity: Int = 512) {
    var size = 128
    while size < minimumCapacity * 2 { size *= 2 }
    buckets = Array(repeating: .max, count: size)
    mask = size - 1
  }

  var count: Int { keys.count }

  /// The number of `key`, given now if it is new. Ids are keyed hashes already, so their bits serve
  /// as the table's hash.
  @inline(__always)
  mutating func intern(_ key: IdentifierHash) -> UInt32 {
    let position = position(of: key)
    let number = buckets[position]
    return number == .max ? add(key, at: position) : number
  }

  /// The numbers of many keys; a missing key has the number `.max`.
  mutating func intern(all keys: [IdentifierHash]) -> [UInt32] {
    keys.map { $0.isMissing ? .max : intern($0) }
  }

  func find(_ key: IdentifierHash) -> UInt32? {
    let number = buckets[position(of: key)]
    return number == .max ? nil : number
  }

  /// Begins anew, with room for as many.
  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    unsafe buckets.withUnsafeMutableBufferPointer { unsafe $0.update(repeating: .max) }
  }

  /// The bucket with the number of `key`, or the empty one where it belongs. The lowest bits of a
  /// key choose its slot in a log (`FactLog`), and keys of one partition share the highest.
  @inline(__always)
  private func position(of key: IdentifierHash) -> Int {
    var position = Int(truncatingIfNeeded: key.low >> 8) & mask
    while buckets[position] != .max && keys[Int(buckets[position])] != key {
      position = (position + 1) & mask
    }
    return position
  }

  @inline(never)
  private mutating func add(_ key: IdentifierHash, at position: Int) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: keys.count)
    keys.append(key)
    buckets[position] = number
    // At most half full: the first bucket looked at, or the second, is then nearly always the right
    // one.
    if keys.count * 2 > buckets.count { grow() }
    return number
  }

  private mutating func grow() {
    mask = buckets.count * 2 - 1
    buckets = Array(repeating: .max, count: mask + 1)
    for (number, key) in keys.enumerated() {
      buckets[position(of: key)] = UInt32(truncatingIfNeeded: number)
    }
  }
}
