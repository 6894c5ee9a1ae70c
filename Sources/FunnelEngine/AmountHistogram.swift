/// People's amounts in buckets of three significant digits, each with its people, the exact sum of
/// their amounts and the largest of them: enough to cap amounts at a quantile, and the same
/// whatever the order in which people are added and histograms are merged.
///
/// The buckets are those of ``HistogramBuckets``, of millionths: 1,024 for each doubling.
/// Only buckets with people take memory, about 100 bytes each, so that amounts between 0.01 and a
/// million need at most 27,000 of them, however many people there are. Amounts of 0 and below are
/// in no bucket.
public struct AmountHistogram: Sendable, Hashable {
  private struct Bucket: Hashable {
    var people = 0
    var sum = AmountSum()
    var largest: Int128 = 0

    mutating func add(_ amount: Int128) {
      people += 1
      sum.add(amount)
      largest = max(largest, amount)
    }
  }

  private var buckets: [Int: Bucket] = [:]

  /// The amounts of no people.
  public init() {}

  /// What is written down of a bucket.
  struct Row {
    var bucket: Int
    var people: Int
    var sum: AmountSum
    var largest: Int128
  }

  init(_ rows: [Row]) {
    for row in rows {
      buckets[row.bucket] = Bucket(people: row.people, sum: row.sum, largest: row.largest)
    }
  }

  /// In the order of amounts.
  var rows: [Row] {
    buckets.sorted { $0.key < $1.key }.map {
      Row(bucket: $0.key, people: $0.value.people, sum: $0.value.sum, largest: $0.value.largest)
    }
  }

  /// People with an amount above 0.
  public var people: Int { buckets.values.reduce(0) { $0 + $1.people } }

  /// Adds a person's amount.
  public mutating func record(_ amountMillionths: Int128) {
    guard amountMillionths > 0 else { return }
    let place = HistogramBuckets.bucket(of: amountMillionths)
    buckets[place, default: Bucket()].add(amountMillionths)
  }

  /// Adds the amounts of other people.
  public mutating func merge(_ other: AmountHistogram) {
    for (place, added) in other.buckets {
      var bucket = buckets[place] ?? Bucket()
      bucket.people += added.people
      bucket.sum.add(added.sum)
      bucket.largest = max(bucket.largest, added.largest)
      buckets[place] = bucket
    }
  }

  /// The largest amount in the bucket that holds the ⌈share × n⌉-th smallest (at least the first)
  /// of n amounts above 0: at most a thousandth above that amount. `nil` where there is none.
  public func cap(atShare share: Double) -> AmountCap? {
    let people = people
    guard people > 0 else { return nil }
    // In whole millionths, so that 99 % of 100 people are 99.
    let parts = Int((min(1, max(0, share)) * 1e6).rounded())
    let rank = max(1, (people * parts + 999_999) / 1_000_000)
    var seen = 0
    for (place, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
      seen += bucket.people
      if seen >= rank { return AmountCap(bucket: place, millionths: bucket.largest) }
    }
    return nil
  }

  /// People whose amount is above a cap.
  public func people(above cap: AmountCap) -> Int {
    buckets.reduce(0) { $0 + ($1.key > cap.bucket ? $1.value.people : 0) }
  }

  /// The sum of the same people's amounts, each at most the cap.
  ///
  /// - Parameter sum: of all of these people, also those with 0 and less.
  public func capping(_ sum: AmountSum, at cap: AmountCap) -> AmountSum {
    var capped = sum
    for (place, bucket) in buckets where place > cap.bucket {
      capped.replace(bucket.sum, of: bucket.people, by: cap.millionths)
    }
    return capped
  }
}
