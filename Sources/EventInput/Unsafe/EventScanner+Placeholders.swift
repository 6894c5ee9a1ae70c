// Ids that are none, counted by what they are: an event with several counts once.
extension EventScanner {
  /// Counts the placeholder in the place of an id that the event lacks, if there is one.
  @inline(never)
  func notePlaceholder(hasUser: Bool, hasDevice: Bool) {
    if !hasUser {
      if countPlaceholder(in: state.pointee.userLeaves) { return }
      if let leaf = format?.distinct, countPlaceholder(at: leaf) { return }
    }
    if !hasDevice { _ = countPlaceholder(in: state.pointee.deviceLeaves) }
  }

  private func countPlaceholder(in leaves: FixedList<Int>) -> Bool {
    for index in 0..<leaves.count where countPlaceholder(at: leaves[index].pointee) { return true }
    return false
  }

  private func countPlaceholder(at leaf: Int) -> Bool {
    guard let text = scalarText(leaf) else { return false }
    return countPlaceholder(format?.withoutDevicePrefix(text) ?? text)
  }

  func countPlaceholder(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let found = PlaceholderIdentifier.of(text) else { return false }
    state.pointee.placeholders[found.number] += 1
    return true
  }
}
