/// What a chart is called in a link to it: what follows the `#` in the address of the page.
///
/// Links are kept in chats and documents, so that an id is made of names that stay as they are when
/// the data grow: of sections, and of ids in the flow file.
package struct ChartID: Sendable, Hashable {
  package let text: String

  /// Names become parts of the id that no other name has.
  package init(_ section: String, _ names: String...) {
    text = ([section] + names.map(ChartID.part)).joined(separator: "/")
  }

  package static let funnel = ChartID("funnel")
  package static let changes = ChartID("changes")
  package static let targets = ChartID("targets")
  package static let quality = ChartID("quality")

  package static func step(_ id: String) -> ChartID { ChartID("funnel", id) }
  package static func experiment(_ id: String) -> ChartID { ChartID("experiments", id) }
  package static func permission(_ name: String) -> ChartID { ChartID("permissions", name) }

  /// What a link to it says where it isn't clear from the words before it.
  package var linkWords: String {
    if text.hasPrefix("funnel/") { return "Show this step" }
    return text.hasPrefix("experiments/") ? "Show the experiment" : "Show chart"
  }

  /// Letters, digits, `-` and `_` as they are, every other byte as `.` and two hexadecimal digits.
  private static func part(_ name: String) -> String {
    var part = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        part.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        part += byte < 16 ? ".0" : "."
        part += String(byte, radix: 16)
      }
    }
    return part
  }
}
