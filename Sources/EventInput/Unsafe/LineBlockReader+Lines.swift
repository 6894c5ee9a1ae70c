// The line that is not yet whole.
extension LineBlockReader {
  func takeCarry(_ block: LineBlock) -> Int {
    let count = carry.count
    block.reserve(count + Self.chunkBytes + 2)
    unsafe carry.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        unsafe block.buffer.copyMemory(from: base, byteCount: count)
      }
    }
    carry.removeAll(keepingCapacity: true)
    return count
  }

  func putCarry(_ block: LineBlock, _ range: Range<Int>) {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: block.buffer + range.lowerBound, count: range.count)
    unsafe carry.append(contentsOf: bytes)
  }

  /// After a member's end one byte is left free, for a line feed that may be wanted.
  func roomAfter(_ filled: Int, _ block: LineBlock) -> UnsafeMutableRawBufferPointer {
    let room = unsafe block.room(from: filled + (isMemberEnd && filled > 0 ? 1 : 0))
    return unsafe UnsafeMutableRawBufferPointer(rebasing: room.prefix(Self.chunkBytes))
  }

  /// Puts a line feed between two members, or closes the gap; returns where the new bytes begin.
  func joinMembers(_ block: LineBlock, filled: Int, added: Int) -> Int {
    defer { isMemberEnd = false }
    guard isMemberEnd && filled > 0 else { return filled }
    let bytes = unsafe block.buffer.assumingMemoryBound(to: UInt8.self)
    if unsafe bytes[filled + 1] == UInt8(ascii: "{") && bytes[filled - 1] == UInt8(ascii: "}") {
      unsafe bytes[filled] = UInt8(ascii: "\n")
      let lexer = unsafe JSONLexer(state: lexerState)
      if unsafe lexer.fault(block.start, block.start + filled) == nil { return filled + 1 }
    }
    unsafe (block.buffer + filled).copyMemory(from: block.buffer + filled + 1, byteCount: added)
    return filled
  }

  /// True if the block holds whole lines now, or a line that is too long.
  func endBlock(_ block: LineBlock, filled: Int, added: Int) -> Bool {
    let end = filled + added
    if let before = longLineBytes {
      return endLongLine(block, before: before, filled: filled, end: end)
    }
    // A line feed between members stands just before the new bytes.
    guard let feed = block.lastLineFeed(in: max(0, filled - 1)..<end) else {
      if end > keptBytes { longLineBytes = end }
      putCarry(block, 0..<min(end, keptBytes))
      return false
    }
    putCarry(block, feed + 1..<end)
    block.count = feed + 1
    return true
  }

  /// Inside a line that is too long: `carry` keeps its beginning, the rest is only counted.
  private func endLongLine(_ block: LineBlock, before: Int, filled: Int, end: Int) -> Bool {
    var feed = filled
    let bytes = unsafe block.start
    while unsafe feed < end && bytes[feed] != UInt8(ascii: "\n") { feed += 1 }
    if feed == end {
      longLineBytes = before + end - filled
      putCarry(block, 0..<filled)
      return false
    }
    putCarry(block, feed + 1..<end)
    endLine(block, filled)
    block.kind = .longLine(byteCount: before + feed - filled)
    longLineBytes = nil
    return true
  }

  func endLastLine(_ block: LineBlock, filled: Int, isDamaged: Bool) -> Bool {
    isMemberEnd = false
    defer { longLineBytes = nil }
    guard filled > 0 else { return false }
    endLine(block, filled)
    if let count = longLineBytes {
      block.kind = .longLine(byteCount: count)
    } else {
      block.kind = isDamaged ? .truncatedLine : .lines
    }
    return true
  }

  private func endLine(_ block: LineBlock, _ count: Int) {
    unsafe block.buffer.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: count, as: UInt8.self)
    block.count = count + 1
  }
}
