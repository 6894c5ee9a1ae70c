/// The usual order of pages: who is mostly seen before whom.
struct PageOrder {
  private var names: [String: Int] = [:]
  private(set) var pages: [String] = []
  private(set) var persons: [Int] = []
  /// How many persons saw page i first before page j.
  private var before: [[Int]] = []

  static let maximumPages = 48

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
