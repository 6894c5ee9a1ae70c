import Foundation

/// A path as the system has it: bytes, which need not be UTF-8.
public struct InputPath: Hashable, Sendable, CustomStringConvertible {
  /// The path as system calls take it, without a zero at the end.
  public let bytes: [UInt8]

  /// The path that a text is in UTF-8.
  public init(_ text: String) { bytes = Array(text.utf8) }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The text that leads to these bytes, with `\xE9` for what is no UTF-8 and for controls. For
  /// people; not for the system.
  public var description: String { InputPath.shown(Self.argument(bytes)) }

  /// Calls `body` with the path as system calls want it.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows
    -> Result
  {
    let text = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    return try unsafe text.withUnsafeBufferPointer { buffer in
      // Never `nil`: there is the zero at least.
      if let start = buffer.baseAddress { return try unsafe body(start) }
      return try unsafe "".withCString(body)
    }
  }

  /// The folder that an empty path, the beginning of a relative pattern, stands for.
  var orCurrent: InputPath { bytes.isEmpty ? InputPath(".") : self }

  /// This path, beginning at the root folder.
  var absolute: InputPath {
    if bytes.first == UInt8(ascii: "/") { return self }
    return InputPath(FileManager.default.currentDirectoryPath).appending(bytes)
  }

  /// What the path is in a folder.
  func appending(_ name: [UInt8]) -> InputPath {
    if bytes.isEmpty { return InputPath(bytes: name) }
    return InputPath(bytes: bytes + (bytes.last == UInt8(ascii: "/") ? [] : [47]) + name)
  }
}

extension InputPath {
  /// Private scalars that stand for bytes which are no UTF-8 in words of the command line, where
  /// texts are all there is.
  private static let firstStandIn: UInt32 = 0x10_FF00

  /// The word of a command line as a text from which `init(argument:)` makes the same bytes.
  package static func argument(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while !rest.isEmpty {
      if let scalar = firstScalar(of: rest), !isStandIn(scalar) {
        text.append(scalar)
        rest = rest.dropFirst(String(scalar).utf8.count)
      } else {
        if let scalar = Unicode.Scalar(firstStandIn + UInt32(rest[rest.startIndex])) {
          text.append(scalar)
        }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// The path that a word of the command line means.
  package init(argument: String) {
    bytes = argument.unicodeScalars.flatMap { scalar in
      Self.isStandIn(scalar)
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a word of the command line was UTF-8.
  package static func isUTF8(argument: String) -> Bool {
    !argument.unicodeScalars.contains(where: isStandIn)
  }

  /// A text with such words in it, for people.
  package static func shown(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 < 0xF4 }
    if isPlain { return text }
    return text.unicodeScalars.map { scalar in
      if !isStandIn(scalar) && scalar.value >= 0x20 && scalar.value != 0x7F {
        return String(scalar)
      }
      let digits = String(scalar.value & 0xFF, radix: 16, uppercase: true)
      return digits.count < 2 ? "\\x0\(digits)" : "\\x\(digits)"
    }.joined()
  }

  private static func isStandIn(_ scalar: Unicode.Scalar) -> Bool {
    (firstStandIn...firstStandIn + 0xFF).contains(scalar.value)
  }

  private static func firstScalar(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
