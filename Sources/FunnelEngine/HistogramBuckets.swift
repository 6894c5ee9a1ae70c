/// HdrHistogram's bucket rule with 2,048 sub-buckets: each number below 2,048 has a bucket, and
/// above it a bucket is 2^(⌊log2 v⌋ − 10) wide, so that three digits of a number are kept.
enum HistogramBuckets {
  /// The bucket of a number, 0 or more.
  static func bucket<Number: FixedWidthInteger>(of number: Number) -> Int {
    if number < 2048 { return Int(truncatingIfNeeded: number) }
    let exponent = Number.bitWidth - 1 - number.leadingZeroBitCount - 10
    return 1024 * exponent + Int(truncatingIfNeeded: number >> Number(truncatingIfNeeded: exponent))
  }

  /// The smallest number of a bucket.
  static func lowerEdge(of bucket: Int) -> Int64 {
    if bucket < 2048 { return Int64(bucket) }
    let exponent = bucket / 1024 - 1
    return Int64(bucket - 1024 * exponent) << Int64(exponent)
  }
}
