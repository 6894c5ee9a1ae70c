/// The names that a flow file declares for one thing, to be found by whatever an event says.
///
/// A text that is one of the names is that name. Another one is the name of which it is a spelling
/// (``NameSpellings``): a number's before a truth value's, where it may be both.
public struct DeclaredNames: Sendable {
  private var places: [String: Int] = [:]

  /// - Parameter names: the first of several equal ones counts.
  public init(_ names: [String]) {
    for (place, name) in names.enumerated() where places[name] == nil { places[name] = place }
    let numbersFirst =
      names.filter(NameSpellings.isWholeNumber)
      + names.filter { !NameSpellings.isWholeNumber($0) }
    for name in numbersFirst {
      for spelling in NameSpellings.others(of: name) where places[spelling] == nil {
        places[spelling] = places[name]
      }
    }
  }

  /// The place, in the list given, of the name that a text means.
  public subscript(text: String) -> Int? { places[text] }
}
