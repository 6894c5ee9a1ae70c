/// The member that Snowplow's analytics SDKs make of what a schema describes:
/// `iglu:com.acme/someThing/jsonschema/1-0-2` in a list of contexts is
/// `contexts_com_acme_some_thing_1`.
///
/// Source: `SnowplowEvent.transformSchema` of the Analytics SDK for Scala.
enum SchemaName {
  /// - Parameters:
  ///   - prefix: `contexts` or `unstruct_event`.
  ///   - uri: of the schema, with the whole number of its version.
  static func member(_ prefix: String, _ uri: [UInt8]) -> [UInt8]? {
    let parts = uri.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].starts(with: "iglu:".utf8), !parts[1].isEmpty,
      let model = parts[3].split(separator: UInt8(ascii: "-")).first,
      model.allSatisfy({ $0 &- 0x30 < 10 })
    else { return nil }
    let vendor = parts[0].dropFirst("iglu:".utf8.count).map(smallLetter).map(withoutPunctuation)
    return Array(prefix.utf8) + [UInt8(ascii: "_")] + vendor + [UInt8(ascii: "_")]
      + snakeCase(parts[1]) + [UInt8(ascii: "_")] + model
  }

  private static func snakeCase(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var previous: UInt8?
    for byte in name.map(withoutPunctuation) {
      if isCapital(byte), let previous, !isCapital(previous), previous != UInt8(ascii: "_") {
        result.append(UInt8(ascii: "_"))
      }
      result.append(smallLetter(byte))
      previous = byte
    }
    return result
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
  private static func smallLetter(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }

  private static func withoutPunctuation(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte
  }
}
