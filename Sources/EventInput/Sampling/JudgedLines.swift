/// What the lines of a block are: which of them are events, and whose.
struct JudgedLines: Sendable {
  /// One event, by its place in the block, or in the list of events that it came with.
  struct Event: Sendable {
    var start: Int
    var count: Int
    var device: IdentifierHash
    var user: IdentifierHash
    var list: Int?
  }

  /// A copy of the first line that is no event, and why it is none.
  struct Refused: Sendable {
    var line: [UInt8]
    var reason: RejectReason
    var detail: String
  }

  var lines = 0
  var events: [Event] = []
  /// The events of lines that hold several, each on a line of its own.
  var lists: [[UInt8]] = []
  var refused: Refused?
}
