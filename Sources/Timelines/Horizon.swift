internal import EventInput

/// The moment up to which the data is taken to be complete (SPEC 6).
public enum Horizon {
  /// The latest fact time T such that at least 3 persons have facts in (T − 24 h, T]; the latest
  /// fact time if there is no such T; `nil` without facts.
  ///
  /// - Throws: what reading timelines back from disk met.
  public static func latestComplete(_ timelines: Timelines) throws(SpillError) -> Int64? {
    guard case .collected(let facts) = timelines.store else { return timelines.knownHorizon }
    return try facts.horizon()
  }

  /// The same of several parts of the facts.
  static func latestComplete(of parts: some Sequence<HorizonSearch>) -> Int64? {
    var search = HorizonSearch()
    for part in parts { search.add(part) }
    return search.finish()
  }
}
