/// Finds the right spelling that a wrong one was probably meant to be.
public enum NearestSpelling {
  /// The candidate with the smallest distance to `word`, if it is near enough to be worth a
  /// question: at most a third of the longer word or one edit, and never all of the shorter.
  /// Ties go to the first.
  public static func of(_ word: String, among candidates: [String]) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(word.lowercased(), candidate.lowercased())
      let limit = max(1, max(word.count, candidate.count) / 3)
      let shorter = min(word.count, candidate.count)
      if distance <= limit, distance < shorter, distance < best?.distance ?? Int.max {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// Whether a word is another one but for capitals, marks between words and one edit.
  package static func isSlip(_ word: String, of other: String) -> Bool {
    func plain(_ text: String) -> String {
      String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
    return distance(plain(word), plain(other)) <= 1
  }

  /// Damerau–Levenshtein distance (optimal string alignment): insertions, deletions,
  /// substitutions and swaps of two neighbours cost one each.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.unicodeScalars.prefix(100))
    let b = Array(second.unicodeScalars.prefix(100))
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    for i in 1...a.count {
      for j in 1...b.count {
        let cost = a[i - 1] == b[j - 1] ? 0 : 1
        var value = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          value = min(value, rows[i - 2][j - 2] + 1)
        }
        rows[i][j] = value
      }
    }
    return rows[a.count][b.count]
  }
}
