/// What stands in an address so that nobody guesses it: 128 bits from the system's random source.
/// It is made anew with each start, and is in no page and no file.
struct AccessToken: Sendable {
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    text = String((0..<32).map { _ in digits[Int(generator.next() & 15)] })
  }

  /// Compares in a time that does not tell how much of a guess is right.
  func matches(_ guess: Substring) -> Bool {
    let (own, other) = (Array(text.utf8), Array(guess.utf8))
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(own, other) { difference |= left ^ right }
    return difference == 0
  }
}
