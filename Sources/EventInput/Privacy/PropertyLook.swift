/// What a sampled value looks like: all that is kept of it besides a short digest.
package struct PropertyLook: Sendable, Hashable {
  var finding: PersonalTextRecognizer.Finding?
  /// Several words that no machine wrote.
  var isTyped = false
  var isLong = false
  var isFullName = false
  var isStreet = false

  /// Of a value that looks like nothing.
  package static let none = PropertyLook()

  init(finding: PersonalTextRecognizer.Finding? = nil) { self.finding = finding }

  /// - Parameters:
  ///   - text: the value.
  ///   - bytes: the same as UTF-8.
  ///   - recognizer: of the property's name.
  init(_ text: String, _ bytes: [UInt8], _ recognizer: PersonalTextRecognizer) {
    let shape = TextShape(text)
    finding = recognizer.finding(in: bytes, shape)
    guard finding == nil, shape.isLetters, shape.words >= 2, !Self.isOfMachine(text) else { return }
    isTyped = true
    isLong = shape.isLong && shape.words >= 8
    isFullName = shape.isLikeFullName
    isStreet = shape.isLikeStreet
  }

  /// Browsers' names for themselves, and paths of files.
  private static func isOfMachine(_ text: String) -> Bool {
    text.hasPrefix("Mozilla/") || text.hasPrefix("/")
  }
}

// One byte, for files: four flags; or from 16 on the kind, doubled, and whether it is certain.
extension PropertyLook {
  private static let firstFinding: UInt8 = 16

  package var code: UInt8 {
    switch finding {
    case .certain(let kind): return Self.firstFinding + 2 * kind.number + 1
    case .possible(let kind): return Self.firstFinding + 2 * kind.number
    case nil:
      let flags = [isTyped, isLong, isFullName, isStreet]
      return flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }

  /// - Parameter code: `nil` is returned for one that no look has.
  package init?(code: UInt8) {
    if code < Self.firstFinding {
      isTyped = code & 1 > 0
      isLong = code & 2 > 0
      isFullName = code & 4 > 0
      isStreet = code & 8 > 0
      if !isTyped && code > 0 { return nil }
      return
    }
    let number = Int(code - Self.firstFinding) / 2
    guard PersonalTextKind.allCases.indices.contains(number) else { return nil }
    let kind = PersonalTextKind.allCases[number]
    finding = code & 1 > 0 ? .certain(kind) : .possible(kind)
  }
}

extension PersonalTextKind {
  fileprivate var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }
}
