// The id that a person had until they signed in, by the event with which they do.
extension EventScanner {
  /// Unites the user with that id where it was a user's until then (definitions 3.6): it is one
  /// where events name another device and say nothing of who has signed in.
  @inline(__always)
  func noteAnonymous(
    _ alias: FormatReader.Alias?, _ format: FormatReader, user: IdentifierHash, time: Int64
  ) {
    guard format.distinct != nil else { return }
    if let alias { noteAnonymous(at: alias.devices, format, user: user, time: time) }
    noteAnonymous(at: format.anonymous, format, user: user, time: time)
  }

  @inline(__always)
  private func noteAnonymous(
    at leaves: [Int], _ format: FormatReader, user: IdentifierHash, time: Int64
  ) {
    for leaf in leaves where unsafe lines.kinds[leaf] != ValueKind.missing {
      unite(leaf, format, user: user, time: time)
    }
  }

  @inline(never)
  private func unite(_ leaf: Int, _ format: FormatReader, user: IdentifierHash, time: Int64) {
    guard !user.isMissing, signedIn(format) == nil, let other = ownHash(leaf, format),
      other != user
    else { return }
    let devices = unsafe state.pointee.deviceLeaves
    for index in 0..<devices.count {
      if let device = unsafe ownHash(devices[index].pointee, format), device != other {
        let link = UserLink(user: user, other: other, timeMilliseconds: time)
        return unsafe state.pointee.links.append(link)
      }
    }
  }

  /// The hash of the id at a leaf, in the one space of users and devices.
  private func ownHash(_ leaf: Int, _ format: FormatReader) -> IdentifierHash? {
    guard let text = unsafe identifierText(leaf) else { return nil }
    let own = unsafe format.withoutDevicePrefix(text) ?? text
    return unsafe IdentifierKey.isMissing(own) ? nil : key.userHash(own)
  }
}
