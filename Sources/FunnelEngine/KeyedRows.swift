/// Rows of words that are found by their first words: an open-addressed table over flat arrays, so
/// that looking a row up costs no allocation.
struct KeyedRows {
  let keyWidth: Int
  /// Words of a row: its key, and what is kept behind it.
  let width: Int
  private(set) var count = 0
  private var words: [UInt32] = []
  /// Row numbers by hash; `.max` for none.
  private var buckets: [UInt32]
  private var mask: Int

  init(keyWidth: Int, width: Int) {
    self.keyWidth = keyWidth
    self.width = width
    buckets = Array(repeating: .max, count: 64)
    mask = buckets.count - 1
  }

  /// The hash of the key that begins at `start`.
  func hash(_ keys: [UInt32], at start: Int) -> Int {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for place in start..<(start + keyWidth) {
      hash = (hash ^ UInt64(keys[place])) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
    }
    return Int(truncatingIfNeeded: hash)
  }

  /// The row of the key that begins at `start`; `nil` for none.
  func find(_ keys: [UInt32], at start: Int, hash: Int) -> Int? {
    var position = hash & mask
    while buckets[position] != .max {
      let row = Int(buckets[position])
      if isRow(row, keys, start) { return row }
      position = (position + 1) & mask
    }
    return nil
  }

  /// The row of a key; a new one has zeros behind its key.
  mutating func row(_ keys: [UInt32], at start: Int, hash: Int) -> Int {
    if let known = find(keys, at: start, hash: hash) { return known }
    words.append(contentsOf: keys[start..<(start + keyWidth)])
    words.append(contentsOf: repeatElement(0, count: width - keyWidth))
    put(count, hash)
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

  /// Reads a word of where the search for a hash begins and of the row that is there, for the
  /// caches: many such reads wait for memory side by side, searches would wait one by one.
  func touch(_ hash: Int) -> UInt32 {
    let row = buckets[hash & mask]
    if row == .max { return 0 }
    let first = Int(row) * width
    return words[first] ^ words[first + width - 1]
  }

  private func isRow(_ row: Int, _ keys: [UInt32], _ start: Int) -> Bool {
    var difference: UInt32 = 0
    let first = row * width
    for place in 0..<keyWidth { difference |= words[first + place] ^ keys[start + place] }
    return difference == 0
  }

  /// Puts a row whose key has no place yet.
  private mutating func put(_ row: Int, _ hash: Int) {
    var position = hash & mask
    while buckets[position] != .max { position = (position + 1) & mask }
    buckets[position] = UInt32(truncatingIfNeeded: row)
  }

  private mutating func grow() {
    buckets = Array(repeating: .max, count: buckets.count * 4)
    mask = buckets.count - 1
    for row in 0..<count { put(row, hash(words, at: row * width)) }
  }
}
