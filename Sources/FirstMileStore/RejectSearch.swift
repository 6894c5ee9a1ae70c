internal import EventInput
internal import Foundation
internal import Timelines

/// Finds the rejected lines that name a forgotten person.
struct RejectSearch {
  private let users: Set<IdentifierHash>
  private let devices: Set<IdentifierHash>
  private let key: IdentifierKey
  /// The id that was named, where it is known: all others are hashes.
  private let id: Data
  /// Shorter ones stand in nearly every line by chance.
  private static let leastBytes = 4
  private static let maximumDepth = 8

  /// - Parameters:
  ///   - devices: those that are the person's alone.
  ///   - id: as it stands in events.
  init(
    users: Set<IdentifierHash>, devices: Set<IdentifierHash>, key: IdentifierKey, id: String = ""
  ) {
    (self.users, self.devices, self.key) = (users, devices, key)
    self.id = Data(id.utf8)
  }

  var isEmpty: Bool { users.isEmpty && devices.isEmpty }

  func finds(in line: [UInt8]) -> Bool {
    if NamedIdentifiers(line: line).texts.contains(where: { unsafe $0.withUnsafeBytes(isWanted) }) {
      return true
    }
    if (try? JSONSerialization.jsonObject(with: Data(line))) != nil { return false }
    if isNamed(in: line) { return true }
    // Lines that are no UTF-8 are Latin-1 as a rule.
    if String(validating: line, as: UTF8.self) != nil { return false }
    return isNamed(in: Array(String(String.UnicodeScalarView(line.map(Unicode.Scalar.init))).utf8))
  }

  /// Whether it is named in a broken line, of which nothing says where an id begins and ends.
  private func isNamed(in line: [UInt8]) -> Bool {
    var (form, depth) = (line, 0)
    while depth < Self.maximumDepth {
      if unsafe TextSpans.contains(in: form, where: isWanted) { return true }
      if id.count >= Self.leastBytes, Data(form).range(of: id) != nil { return true }
      let plain = Array(JSONText.unescaped(form).utf8)
      if plain == form { return false }
      (form, depth) = (plain, depth + 1)
    }
    return false
  }

  private func isWanted(_ text: UnsafeRawBufferPointer) -> Bool {
    unsafe users.contains(key.hash(of: text, domain: .user))
      || devices.contains(key.hash(of: text, domain: .device))
  }
}
