// A further id of the event's person: who was known by another name (definitions 3.5).
extension EventScanner {
  /// Takes in the ids at the places that the plan has for them.
  @inline(never)
  func readOthers(user: inout IdentifierHash, device: inout IdentifierHash, time: Int64) {
    let leaves = unsafe state.pointee.otherLeaves
    for index in 0..<leaves.count {
      if let text = unsafe identifierText(leaves[index].pointee) {
        return unsafe takeOther(text, user: &user, device: &device, time: time)
      }
    }
  }

  /// What a format's own calls say about ids, if the event is such a call.
  func aliasCall(_ format: FormatReader) -> FormatReader.Alias? {
    guard let alias = format.alias,
      let leaf = alias.name.first(where: { unsafe lines.kinds[$0] != ValueKind.missing }),
      let name = unsafe scalarText(leaf), unsafe alias.isNamed(name)
    else { return nil }
    return alias
  }

  /// Takes in the ids that the call says to be a user's or a device's.
  func readNamed(
    _ alias: FormatReader.Alias, _ format: FormatReader, user: inout IdentifierHash,
    device: inout IdentifierHash
  ) {
    if user.isMissing {
      user = unsafe hash(at: alias.users) { unsafe key.userHash($0) } ?? .missing
    }
    for leaf in alias.devices {
      guard let text = unsafe identifierText(leaf) else { continue }
      let own = unsafe format.withoutDevicePrefix(text) ?? text
      if unsafe !IdentifierKey.isMissing(own) { device = unsafe key.deviceHash(own) }
    }
  }

  /// Takes in the ids that are of whichever kind.
  func readOthers(
    _ alias: FormatReader.Alias, _ format: FormatReader, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    for leaf in alias.others {
      if let text = unsafe identifierText(leaf) {
        unsafe takeOther(text, format, user: &user, device: &device, time: time)
      }
    }
    for leaf in alias.lists where unsafe lines.kinds[leaf] == ValueKind.container {
      unsafe readList(lines.starts[leaf]) {
        unsafe takeOther($0, format, user: &user, device: &device, time: time)
      }
    }
  }

  private func hash(
    at leaves: [Int], _ hash: (UnsafeRawBufferPointer) -> IdentifierHash
  ) -> IdentifierHash? {
    for leaf in leaves {
      if let text = unsafe identifierText(leaf), unsafe !IdentifierKey.isMissing(text) {
        return unsafe hash(text)
      }
    }
    return nil
  }

  private func takeOther(
    _ text: UnsafeRawBufferPointer, _ format: FormatReader, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    guard let own = unsafe format.withoutDevicePrefix(text) else {
      return unsafe takeOther(text, user: &user, device: &device, time: time)
    }
    if unsafe device.isMissing && !IdentifierKey.isMissing(own) {
      device = unsafe key.deviceHash(own)
    }
  }

  func takeOther(
    _ text: UnsafeRawBufferPointer, user: inout IdentifierHash, device: inout IdentifierHash,
    time: Int64
  ) {
    if unsafe IdentifierKey.isMissing(text) { return }
    let (other, asDevice) = unsafe (key.userHash(text), key.deviceHash(text))
    // Who signs in on a device named like this: the event says so already.
    if asDevice == device || other == user { return }
    if user.isMissing {
      user = other
      return
    }
    unsafe state.pointee.links.append(UserLink(user: user, other: other, timeMilliseconds: time))
    // The other id may have been an anonymous one: then this is a sign-in. A forgotten user's would
    // stand in the facts of this one.
    if device.isMissing, unsafe !state.pointee.forgottenUsers.contains(other) { device = asDevice }
  }

  /// Calls `body` for the texts of an array that was walked before.
  private func readList(_ start: Address, _ body: (UnsafeRawBufferPointer) -> Void) {
    var p = unsafe start
    guard unsafe p.pointee == UInt8(ascii: "[") else { return }
    while true {
      unsafe p = lines.lexer.skipSpace(p + 1)
      if unsafe p.pointee == UInt8(ascii: "]") { return }
      guard let next = unsafe lines.lexer.valueEnd(p, depth: 2) else { return }
      // Ids with escapes are no ids that a tool makes; they would need room of their own.
      if unsafe p.pointee == UInt8(ascii: "\""), unsafe next - p >= 2 {
        let text = unsafe UnsafeRawBufferPointer(start: p + 1, count: next - p - 2)
        if unsafe !text.contains(UInt8(ascii: "\\")) { unsafe body(text) }
      }
      unsafe p = lines.lexer.skipSpace(next)
      if unsafe p.pointee != UInt8(ascii: ",") { return }
    }
  }
}
