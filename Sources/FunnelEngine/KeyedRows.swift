/// Rows of words that are found by their first words: an open-addressed table over flat arrays, so
/// that looking a row up costs no allocation.
struct KeyedRows {
  let keyWidth: Int
  /// Words of a row: its key, and what is kept behind it.
  let width: Int
  private(set) var count = 0
  private var words: [UInt32] = []
  /// Hash and row number, by hash; `.max` for none. A row is looked at only if its hash is equal.
  private var buckets: [UInt64]
  private var mask: UInt32

  init(keyWidth: Int, width: Int) {
    self.keyWidth = keyWidth
    self.width = width
    buckets = Array(repeating: .max, count: 64)
    mask = 63
  }

  /// The hash of the key that begins at `start`.
  func hash(_ keys: [UInt32], at start: Int) -> UInt32 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for place in start..<(start + keyWidth) {
      hash = (hash ^ UInt64(keys[place])) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
    }
    return UInt32(truncatingIfNeeded: hash)
  }

  /// The row of the key that begins at `start`; `nil` for none.
  func find(_ keys: [UInt32], at start: Int, hash: UInt32) -> Int? {
    var position = hash & mask
    while true {
      let bucket = buckets[Int(position)]
      if bucket == .max { return nil }
      if UInt32(truncatingIfNeeded: bucket >> 32) == hash {
        let row = Int(UInt32(truncatingIfNeeded: bucket))
        if isRow(row, keys, start) { return row }
      }
      position = (position + 1) & mask
    }
  }

  /// The row of a key that stands alone; a new one has zeros behind its key.
  mutating func row(_ key: [UInt32]) -> Int { row(key, at: 0, hash: hash(key, at: 0)) }

  /// The row of a key; a new one has zeros behind its key.
  mutating func row(_ keys: [UInt32], at start: Int, hash: UInt32) -> Int {
    if let known = find(keys, at: start, hash: hash) { return known }
    words.append(contentsOf: keys[start..<(start + keyWidth)])
    words.append(contentsOf: repeatElement(0, count: width - keyWidth))
    put(UInt64(hash) << 32 | UInt64(count))
    count += 1
    if count * 2 > buckets.count { grow() }
    return count - 1
  }

  func word(_ row: Int, _ place: Int) -> UInt32 { words[row * width + place] }

  mutating func add(_ added: UInt32, to row: Int, _ place: Int) {
    words[row * width + place] += added
  }

  /// Adds to all words behind a row's key, as many as there are, from `start` on.
  mutating func add(_ added: [UInt8], from start: Int, to row: Int) {
    let first = row * width + keyWidth
    let behind = width - keyWidth
    var words = words.mutableSpan
    for place in 0..<behind {
      words[first + place] &+= UInt32(added[start + place])
    }
  }

  /// Reads words of the row that probably has a hash, for the caches: many such reads wait for
  /// memory side by side, searches would wait one by one.
  func touch(_ hash: UInt32) -> UInt32 {
    var position = hash & mask
    var bucket = buckets[Int(position)]
    while UInt32(truncatingIfNeeded: bucket >> 32) != hash {
      if bucket == .max { return 0 }
      position = (position + 1) & mask
      bucket = buckets[Int(position)]
    }
    if bucket == .max { return 0 }
    let first = Int(UInt32(truncatingIfNeeded: bucket)) * width
    return words[first] ^ words[first + width - 1]
  }

  private func isRow(_ row: Int, _ keys: [UInt32], _ start: Int) -> Bool {
    var difference: UInt32 = 0
    let first = row * width
    for place in 0..<keyWidth { difference |= words[first + place] ^ keys[start + place] }
    return difference == 0
  }

  /// Puts a row whose key has no place yet.
  private mutating func put(_ bucket: UInt64) {
    var position = UInt32(truncatingIfNeeded: bucket >> 32) & mask
    while buckets[Int(position)] != .max { position = (position + 1) & mask }
    buckets[Int(position)] = bucket
  }

  private mutating func grow() {
    let old = buckets
    buckets = Array(repeating: .max, count: old.count * 4)
    mask = UInt32(truncatingIfNeeded: buckets.count - 1)
    for bucket in old where bucket != .max { put(bucket) }
  }
}
