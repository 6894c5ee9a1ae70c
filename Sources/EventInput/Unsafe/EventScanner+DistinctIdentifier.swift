// The id that a person has before and after signing in: `distinct_id` (definitions 3.6).
extension EventScanner {
  /// Takes in a `distinct_id`: the device's where something says so, the user's where the event
  /// names another device or user, and without either the device's, which is found to be a user's
  /// when all is read: equal ids have equal hashes here.
  func readDistinct(
    _ format: FormatReader, isAlias: Bool, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    guard let text = unsafe distinctText(format) else { return }
    let own = unsafe format.withoutDevicePrefix(text) ?? text
    if unsafe IdentifierKey.isMissing(own) { return }
    let isUsers = unsafe !isAlias && !user.isMissing && isText(state.pointee.userLeaves, own)
    let distinct = unsafe isUsers ? user : key.userHash(own)
    if own.count < text.count {
      if device.isMissing { device = distinct }
    } else if signedIn(format) == UInt8(ascii: "f") {
      if user.isMissing || device.isMissing { device = distinct }
    } else if !user.isMissing {
      // Of most events it is an id that they have already, and needs no other hash.
      if distinct != user && distinct != device {
        unsafe takeOther(text, user: &user, device: &device, time: time)
      }
    } else if distinct != device {
      let isSignedIn = signedIn(format)
      let isUser =
        unsafe isAlias || state.pointee.identifiers == .user
        || (unsafe firstId(format.before) != nil)
        || isSignedIn == UInt8(ascii: "t")
        || !device.isMissing && !(isSignedIn == nil && comesWithUsers(format))
      if isUser { user = distinct } else { device = distinct }
    }
    readBefore(format, distinct, user: &user, device: &device, time: time)
  }

  /// The id, at the likeliest place that has one.
  @inline(__always)
  private func distinctText(_ format: FormatReader) -> UnsafeRawBufferPointer? {
    guard let leaf = format.distinct else { return nil }
    if let text = unsafe identifierText(leaf), unsafe !IdentifierKey.isMissing(text) {
      return unsafe text
    }
    return unsafe firstId(format.furtherDistinct)
  }

  /// The first id at these leaves.
  private func firstId(_ leaves: [Int]) -> UnsafeRawBufferPointer? {
    for leaf in leaves {
      if let text = unsafe identifierText(leaf), unsafe !IdentifierKey.isMissing(text) {
        return unsafe text
      }
    }
    return nil
  }

  /// Takes in what the person was called before the vendor found out who it was: the `distinct_id`
  /// is then the person's, whatever kind of id it is.
  private func readBefore(
    _ format: FormatReader, _ distinct: IdentifierHash, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    guard let text = unsafe firstId(format.before) else { return }
    let own = unsafe format.withoutDevicePrefix(text) ?? text
    if unsafe IdentifierKey.isMissing(own) || key.userHash(own) == distinct { return }
    if user.isMissing { user = distinct }
    unsafe takeOther(own, user: &user, device: &device, time: time)
  }

  /// Whether the first of these leaves with a value holds this text: then its hash is known.
  @inline(__always)
  private func isText(_ leaves: FixedList<Int>, _ text: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<leaves.count {
      let leaf = unsafe leaves[index].pointee
      if unsafe lines.kinds[leaf] == ValueKind.missing { continue }
      let own = unsafe UnsafeRawBufferPointer(
        start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
      return unsafe lines.kinds[leaf] == ValueKind.string && own.count == text.count
        && own.elementsEqual(text)
    }
    return false
  }

  /// Whether the library that sent the event names the user of each who has signed in.
  private func comesWithUsers(_ format: FormatReader) -> Bool {
    format.library.leaves.contains { leaf in
      guard let name = unsafe scalarText(leaf) else { return false }
      return unsafe name.elementsEqual(format.library.withUsers)
    }
  }

  /// The first letter of what the event says about that, true or false.
  func signedIn(_ format: FormatReader) -> UInt8? {
    guard let first = format.isIdentified.first else { return nil }
    let leaf =
      format.isIdentified.first { unsafe lines.kinds[$0] != ValueKind.missing } ?? first
    let text = unsafe UnsafeBufferPointer(
      start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
    switch unsafe lines.kinds[leaf] {
    case ValueKind.boolean: return unsafe text.first
    // In a table all values are texts.
    case ValueKind.string:
      return unsafe UntypedValue.truth(UnsafeRawBufferPointer(text)).map {
        UInt8(ascii: $0 ? "t" : "f")
      }
    default: return nil
    }
  }
}
