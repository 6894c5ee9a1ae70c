/// The usual order of pages: who is mostly seen before whom.
struct PageOrder {
  private var names: [String: Int] = [:]
  private(set) var pages: [String] = []
  private(set) var persons: [Int] = []
  /// How many persons saw page i first before page j.
  private var before: [[Int]] = []

  static let maximumPages = 96

  /// Takes one person's pages in the order of their first views.
  mutating func add(_ firstViews: [String]) {
    let indices = firstViews.compactMap { index(of: $0) }
    for (place, page) in indices.enumerated() {
      persons[page] += 1
      for later in indices[(place + 1)...] { before[page][later] += 1 }
    }
  }

  private mutating func index(of name: String) -> Int? {
    if let known = names[name] { return known }
    guard pages.count < Self.maximumPages else { return nil }
    names[name] = pages.count
    pages.append(name)
    persons.append(0)
    for row in before.indices { before[row].append(0) }
    before.append(Array(repeating: 0, count: pages.count))
    return pages.count - 1
  }

  /// How far people agree about the order: 1 where every two pages come in one order only, near 0
  /// where people meet them in any.
  var consistency: Double {
    var (agreeing, all) = (0, 0)
    for one in pages.indices {
      for other in pages.indices.prefix(one) {
        agreeing += abs(before[one][other] - before[other][one])
        all += before[one][other] + before[other][one]
      }
    }
    return all == 0 ? 0 : Double(agreeing) / Double(all)
  }

  /// How many persons have both.
  func both(_ one: String, _ other: String) -> Int {
    guard let one = names[one], let other = names[other] else { return 0 }
    return before[one][other] + before[other][one]
  }

  /// Of the persons who have both, the share who have the one first; `nil` where nobody has both.
  func share(_ one: String, before other: String) -> Double? {
    let both = both(one, other)
    guard both > 0, let first = names[one], let second = names[other] else { return nil }
    return Double(before[first][second]) / Double(both)
  }

  /// Pages that people see instead of another one: hardly anybody sees both, though many see
  /// either. In a list that everybody walks, people with a later page have the earlier ones too.
  var branches: Set<String> {
    let most = persons.max() ?? 0
    var found: Set<String> = []
    for one in pages.indices {
      for other in pages.indices.prefix(one) {
        let least = min(persons[one], persons[other])
        let both = before[one][other] + before[other][one]
        if least >= max(5, most / 20), both * 20 <= least {
          found.formUnion([pages[one], pages[other]])
        }
      }
    }
    return found
  }

  /// Pages by how many others they mostly come before, and the persons who saw them.
  var ordered: [(page: String, persons: Int)] {
    let scores = pages.indices.map { page in
      pages.indices.reduce(0) { score, other in
        score + (before[page][other] - before[other][page]).signum()
      }
    }
    return pages.indices.sorted { left, right in
      if scores[left] != scores[right] { return scores[left] > scores[right] }
      if persons[left] != persons[right] { return persons[left] > persons[right] }
      return pages[left].utf8.lexicographicallyPrecedes(pages[right].utf8)
    }.map { (pages[$0], persons[$0]) }
  }
}

/// One person's pages in the order of their first views.
struct FirstViews {
  private(set) var pages: [String] = []
  private var known: Set<String> = []

  mutating func add(_ page: String) {
    if known.insert(page).inserted { pages.append(page) }
  }
}
