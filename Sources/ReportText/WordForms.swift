extension String {
  /// With a capital first letter.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
  /// `a, b and c`
  package var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
