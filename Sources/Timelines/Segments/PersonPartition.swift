internal import EventInput

/// How people are divided among partitions that machines exchange.
///
/// The low half of a hash decides: the high half divides people within one process
/// (`FactCollector.partition`), so that every partition fills all lists there.
enum PersonPartition {
  static func number(of key: IdentifierHash, of count: Int) -> Int {
    Int(truncatingIfNeeded: key.low.multipliedFullWidth(by: UInt64(count)).high)
  }
}
