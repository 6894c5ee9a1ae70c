extension Diagnostics {
  /// Warns of names of which one is another spelling of another one: events are counted under the
  /// text that they have, and people write both by accident (definitions 1.8).
  ///
  /// - Parameter place: of the name with that index.
  func warn(ofSpellings names: [String], _ what: String, place: (Int) -> SourcePlace?) {
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    for name in names {
      for spelling in NameSpellings.others(of: name) {
        guard let index = places[spelling] else { continue }
        warning(
          "\(what) '\(spelling)' is another spelling of '\(name)': only events that say exactly "
            + "'\(spelling)' count for it; declare one of them if both mean the same",
          at: place(index))
      }
    }
  }
}
