/// An answer that is small enough to be held.
struct HTTPAnswer: Sendable {
  var head: HTTPHead
  var body: [UInt8]
}
