extension Array where Element == Int {
  /// The first index whose element belongs to the second part, where all of the first part come
  /// before all of the second.
  func partitioningIndex(where isSecond: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
