import ArgumentParser
import Foundation

/// A number of bytes as people write it: 512M, 2G, 1536K, 1000000.
struct MemorySize: CustomStringConvertible {
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  /// The text of an option's value.
  ///
  /// - Throws: `ValidationError` with what is allowed.
  static func parse(_ text: String) throws -> MemorySize {
    guard let size = MemorySize(argument: text) else {
      throw ValidationError(
        "'\(text)' is no size: allowed is a whole number from 1K with K, M or G (of 1024 each), or "
          + "of bytes, such as 512M, 2G or 1000000")
    }
    return size
  }

  init?(argument: String) {
    let text = argument.uppercased()
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let shifts = ["": 0, "B": 0, "K": 10, "KB": 10, "M": 20, "MB": 20, "G": 30, "GB": 30]
    guard let number = Int(digits), number > 0,
      let shift = shifts[String(text.dropFirst(digits.count))],
      number <= Int.max >> (shift + 1), number << shift >= 1024
    else { return nil }
    bytes = number << shift
  }

  /// A quarter of the machine's memory, at least 256 MB.
  static var ofMachine: MemorySize {
    let quarter = Int(clamping: ProcessInfo.processInfo.physicalMemory / 4)
    return MemorySize(bytes: max(quarter, 256 << 20))
  }

  var description: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes)" }
}
