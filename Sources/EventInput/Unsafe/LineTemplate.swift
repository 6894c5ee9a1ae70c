/// A way through the graph of gaps from a line's beginning to its end, cast into one piece: where
/// each gap is to stand and where each value then lies, counted from the line's quotes.
///
///     {"event":"page","n":3,"v":"1"}\n
///      0     1 2    3 4 5   6 7 8 9        the gap `","n":` begins at quote 3, the one behind the
///                                          number 1 byte before quote 6; `page` is behind quote 2
///
/// Places that aren't counted from a quote are counted from the line's end: quote -1.
///
/// Invariants: the ranges are those of the `LineTemplates` it belongs to; all quotes are below
/// `quoteCount`. In any line with as many quotes, and the first of them where this one's is, pieces
/// lie no sooner than the line begins, and end at most `LineTemplates.reachBytes` behind it.
struct LineTemplate {
  var quoteCount: Int32 = 0
  /// How many bytes stand before the first quote.
  var firstQuoteOffset: Int32 = 0
  var firstPiece: Int32 = 0
  var pieceCount: Int32 = 0
  var firstValue: Int32 = 0
  var valueCount: Int32 = 0
  var firstScalar: Int32 = 0
  var scalarCount: Int32 = 0
  var firstContainer: Int32 = 0
  var containerCount: Int32 = 0
  /// Of what kind the leaves' values are, scalars aside.
  var firstKind: Int32 = 0
  /// The quote before the event's name; -1 for none.
  var eventQuote: Int32 = -1
  /// Of the way's records.
  var pathHash: UInt64 = 0
}

/// A string: it begins behind one quote and ends at the next.
struct TemplateValue {
  var leaf: Int32
  var quote: Int32
}

/// A number or word, and where it begins and ends.
struct TemplateScalar {
  var leaf: Int32
  var start: TemplatePlace
  var end: TemplatePlace
}

/// A container that a plan asks for; only its place is recorded.
struct TemplateContainer {
  var leaf: Int32
  var start: TemplatePlace
  var end: TemplatePlace
}

/// A place in a line: some bytes before or behind a quote.
struct TemplatePlace {
  var quote: Int16
  var offset: Int16

  @inline(__always)
  func address(
    _ base: UnsafePointer<UInt8>, _ quotes: UnsafePointer<UInt32>
  ) -> UnsafePointer<UInt8> {
    base + (Int(quotes[Int(quote)]) &+ Int(offset))
  }
}

/// A line and the template whose gaps all stand in it.
///
/// Valid until the next line is looked at.
struct TemplateMatch {
  typealias Address = UnsafePointer<UInt8>

  var number: Int
  /// Where the template was found.
  var slot: Int
  var lineEnd: Address
  var base: Address
  /// The line's quotes, as offsets from `base`; before them stands where it ends.
  var quotes: UnsafePointer<UInt32>
  var quoteCount: Int
  /// Whether any of its strings has escapes.
  var hasEscapes: Bool

  @inline(__always)
  func address(_ place: TemplatePlace) -> Address { place.address(base, quotes) }

  /// The string behind a quote.
  @inline(__always)
  func string(behind quote: Int) -> (start: Address, end: Address) {
    (base + (Int(quotes[quote]) &+ 1), base + Int(quotes[quote &+ 1]))
  }
}
