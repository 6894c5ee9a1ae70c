// Ids that are none, counted by what they are: an event with several counts once.
extension EventScanner {
  /// Counts the placeholder in the place of an id that the event lacks, if there is one.
  @inline(never)
  func notePlaceholder(hasUser: Bool, hasDevice: Bool) {
    if !hasUser {
      if unsafe countPlaceholder(in: state.pointee.userLeaves) { return }
      if let format, let leaf = format.distinct {
        if ([leaf] + format.furtherDistinct).contains(where: countPlaceholder) { return }
      }
    }
    if !hasDevice { _ = unsafe countPlaceholder(in: state.pointee.deviceLeaves) }
  }

  private func countPlaceholder(in leaves: FixedList<Int>) -> Bool {
    for index in 0..<leaves.count where unsafe countPlaceholder(at: leaves[index].pointee) {
      return true
    }
    return false
  }

  private func countPlaceholder(at leaf: Int) -> Bool {
    guard let text = unsafe scalarText(leaf) else { return false }
    if unsafe isRounded(leaf, text) {
      unsafe state.pointee.placeholders[PlaceholderIdentifier.rounded.number] += 1
      return true
    }
    return unsafe countPlaceholder(format?.withoutDevicePrefix(text) ?? text)
  }

  func countPlaceholder(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let found = unsafe PlaceholderIdentifier.of(text) else { return false }
    unsafe state.pointee.placeholders[found.number] += 1
    return true
  }
}
