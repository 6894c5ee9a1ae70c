// A further id of the event's person: who was known by another name (definitions 3.5).
extension EventScanner {
  /// Takes in the ids at the places that the plan has for them.
  @inline(never)
  func readOthers(user: inout IdentifierHash, device: inout IdentifierHash, time: Int64) {
    let leaves = state.pointee.otherLeaves
    for index in 0..<leaves.count {
      if let text = scalarText(leaves[index].pointee) {
        return takeOther(text, user: &user, device: &device, time: time)
      }
    }
  }

  /// What a format's own calls say about ids, if the event is such a call.
  func aliasCall(_ format: FormatReader) -> FormatReader.Alias? {
    guard let alias = format.alias, let name = scalarText(alias.name), alias.isNamed(name)
    else { return nil }
    return alias
  }

  /// Takes in the ids that the call says to be a user's or a device's.
  func readNamed(
    _ alias: FormatReader.Alias, _ format: FormatReader, user: inout IdentifierHash,
    device: inout IdentifierHash
  ) {
    if user.isMissing {
      user = hash(at: alias.users) { key.userHash($0) } ?? .missing
    }
    for leaf in alias.devices {
      guard let text = scalarText(leaf) else { continue }
      let own = format.withoutDevicePrefix(text) ?? text
      if !IdentifierKey.isMissing(own) { device = key.deviceHash(own) }
    }
  }

  /// Takes in the ids that are of whichever kind.
  func readOthers(
    _ alias: FormatReader.Alias, _ format: FormatReader, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    for leaf in alias.others {
      if let text = scalarText(leaf) {
        takeOther(text, format, user: &user, device: &device, time: time)
      }
    }
    for leaf in alias.lists where lines.kinds[leaf] == ValueKind.container {
      readList(lines.starts[leaf]) {
        takeOther($0, format, user: &user, device: &device, time: time)
      }
    }
  }

  private func hash(
    at leaves: [Int], _ hash: (UnsafeRawBufferPointer) -> IdentifierHash
  ) -> IdentifierHash? {
    for leaf in leaves {
      if let text = scalarText(leaf), !IdentifierKey.isMissing(text) { return hash(text) }
    }
    return nil
  }

  private func takeOther(
    _ text: UnsafeRawBufferPointer, _ format: FormatReader, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    guard let own = format.withoutDevicePrefix(text) else {
      return takeOther(text, user: &user, device: &device, time: time)
    }
    if device.isMissing && !IdentifierKey.isMissing(own) { device = key.deviceHash(own) }
  }

  func takeOther(
    _ text: UnsafeRawBufferPointer, user: inout IdentifierHash, device: inout IdentifierHash,
    time: Int64
  ) {
    if IdentifierKey.isMissing(text) { return }
    let (other, asDevice) = (key.userHash(text), key.deviceHash(text))
    // Who signs in on a device named like this: the event says so already.
    if asDevice == device || other == user { return }
    if user.isMissing {
      user = other
      return
    }
    state.pointee.links.append(UserLink(user: user, other: other, timeMilliseconds: time))
    // The other id may have been an anonymous one: then this is a sign-in.
    if device.isMissing { device = asDevice }
  }

  /// Calls `body` for the texts of an array that was walked before.
  private func readList(_ start: Address, _ body: (UnsafeRawBufferPointer) -> Void) {
    var p = start
    guard p.pointee == UInt8(ascii: "[") else { return }
    while true {
      p = lines.lexer.skipSpace(p + 1)
      if p.pointee == UInt8(ascii: "]") { return }
      guard let next = lines.lexer.valueEnd(p, depth: 2) else { return }
      // Ids with escapes are no ids that a tool makes; they would need room of their own.
      if p.pointee == UInt8(ascii: "\""), next - p >= 2 {
        let text = UnsafeRawBufferPointer(start: p + 1, count: next - p - 2)
        if !text.contains(UInt8(ascii: "\\")) { body(text) }
      }
      p = lines.lexer.skipSpace(next)
      if p.pointee != UInt8(ascii: ",") { return }
    }
  }
}
