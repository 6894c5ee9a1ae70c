extension SourceSummary {
  private static let linesLookedAt = 20
  private static let mostPlaces = 500

  /// Takes note of the places of all values in a file's first lines.
  mutating func note(placesIn block: LineBlock) {
    let end = unsafe block.start + block.count
    var (line, left) = unsafe (block.start, Self.linesLookedAt)
    var known = Set(places)
    while unsafe line < end, left > 0, places.count < Self.mostPlaces {
      let next = unsafe LineScanner.lineFeed(line, end)
      var cursor = unsafe JSONCursor(
        Array(UnsafeBufferPointer(start: line, count: max(0, next - line))))
      for place in cursor.places(under: []) ?? [] {
        let name = place.joined(separator: ".")
        if known.insert(name).inserted { places.append(name) }
      }
      unsafe line = next + 1
      left -= 1
    }
  }
}
