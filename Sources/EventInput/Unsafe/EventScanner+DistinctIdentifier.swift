// The id that a person has before and after signing in: `distinct_id` (definitions 3.6).
extension EventScanner {
  /// Takes in a `distinct_id`: the device's where something says so, the user's where the event
  /// names another device or user, and without either the device's, which is found to be a user's
  /// when all is read: equal ids have equal hashes here.
  func readDistinct(
    _ format: FormatReader, isAlias: Bool, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    guard let leaf = format.distinct, let text = scalarText(leaf),
      !IdentifierKey.isMissing(text)
    else { return }
    let own = format.withoutDevicePrefix(text) ?? text
    if IdentifierKey.isMissing(own) { return }
    let isUsers = !isAlias && !user.isMissing && isText(state.pointee.userLeaves, own)
    let distinct = isUsers ? user : key.userHash(own)
    if own.count < text.count {
      if device.isMissing { device = distinct }
    } else if signedIn(format) == UInt8(ascii: "f") {
      if user.isMissing || device.isMissing { device = distinct }
    } else if !user.isMissing {
      // Of most events it is an id that they have already, and needs no other hash.
      if distinct != user && distinct != device {
        takeOther(text, user: &user, device: &device, time: time)
      }
    } else if distinct != device {
      let isUser =
        isAlias || !device.isMissing || state.pointee.identifiers == .user || hasBefore(format)
        || signedIn(format) == UInt8(ascii: "t")
      if isUser { user = distinct } else { device = distinct }
    }
    readBefore(format, distinct, user: &user, device: &device, time: time)
  }

  /// Takes in what the person was called before the vendor found out who it was: the `distinct_id`
  /// is then the person's, whatever kind of id it is.
  private func readBefore(
    _ format: FormatReader, _ distinct: IdentifierHash, user: inout IdentifierHash,
    device: inout IdentifierHash, time: Int64
  ) {
    guard let leaf = format.before, let text = scalarText(leaf),
      !IdentifierKey.isMissing(text)
    else { return }
    let own = format.withoutDevicePrefix(text) ?? text
    if IdentifierKey.isMissing(own) || key.userHash(own) == distinct { return }
    if user.isMissing { user = distinct }
    takeOther(own, user: &user, device: &device, time: time)
  }

  /// Whether the first of these leaves with a value holds this text: then its hash is known.
  @inline(__always)
  private func isText(_ leaves: FixedList<Int>, _ text: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<leaves.count {
      let leaf = leaves[index].pointee
      if lines.kinds[leaf] == ValueKind.missing { continue }
      let own = UnsafeRawBufferPointer(
        start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
      return lines.kinds[leaf] == ValueKind.string && own.count == text.count
        && own.elementsEqual(text)
    }
    return false
  }

  private func hasBefore(_ format: FormatReader) -> Bool {
    guard let leaf = format.before, let text = scalarText(leaf) else { return false }
    return !IdentifierKey.isMissing(text)
  }

  /// The first letter of what the event says about that, true or false.
  private func signedIn(_ format: FormatReader) -> UInt8? {
    guard let leaf = format.isIdentified else { return nil }
    let text = UnsafeBufferPointer(
      start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
    switch lines.kinds[leaf] {
    case ValueKind.boolean: return text.first
    // In a table all values are texts.
    case ValueKind.string:
      return UntypedValue.truth(UnsafeRawBufferPointer(text)).map {
        UInt8(ascii: $0 ? "t" : "f")
      }
    default: return nil
    }
  }
}
