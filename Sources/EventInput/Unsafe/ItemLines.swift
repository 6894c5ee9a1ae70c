/// How the items of a container lie on its lines, so that reading can go on behind one that a
/// missing quote or bracket leaves open.
struct ItemLines {
  /// Spaces and tabs since the line's beginning; commas may stand among them.
  private var indentation = Indentation()
  private(set) var isAtLineStart = true
  /// Where the item that was begun last stands; `nil` if it doesn't begin its line.
  private var itemIndentation: Indentation?
  private var itemGoesOverLines = false
  /// By how much items on one line outnumber those over several.
  private var singleLineLead = 0

  private static let maximumLead = 8

  private struct Indentation: Equatable {
    var spaces = 0
    var tabs = 0
  }

  /// Whether the items seen so far stand on one line each.
  var areSingleLines: Bool { singleLineLead > 0 }

  /// Whether an item may begin at the byte that follows, though one is open.
  var mayBeginItem: Bool {
    isAtLineStart && (itemIndentation == nil || itemIndentation == indentation)
  }

  mutating func pass(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") {
      isAtLineStart = true
      itemGoesOverLines = true
      indentation = Indentation()
    } else if isAtLineStart {
      switch byte {
      case 0x20: indentation.spaces += 1
      case 0x09: indentation.tabs += 1
      case 0x0D, UInt8(ascii: ","): break
      default: isAtLineStart = false
      }
    }
  }

  /// Takes bytes behind a line's beginning that end no line.
  mutating func passText() { isAtLineStart = false }

  mutating func beginItem() {
    itemIndentation = isAtLineStart ? indentation : nil
    itemGoesOverLines = false
  }

  mutating func endItem() {
    let lead = singleLineLead + (itemGoesOverLines ? -1 : 1)
    singleLineLead = min(max(lead, -Self.maximumLead), Self.maximumLead)
  }
}
