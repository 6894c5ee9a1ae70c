/// The name that a wrong one was probably meant to be, among names that only the data knows.
package enum NearestName {
  /// Compares without case, blanks and punctuation first, then by a common beginning.
  package static func of(_ wanted: String, among names: [String]) -> String? {
    let bare = bare(wanted)
    if let same = names.first(where: { self.bare($0) == bare }) { return same }
    let scored = names.map { name in (name, zip(self.bare(name), bare).prefix { $0 == $1 }.count) }
    guard let best = scored.max(by: { $0.1 < $1.1 }), best.1 * 2 >= bare.count, best.1 > 1 else {
      return nil
    }
    return best.0
  }

  private static func bare(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
