internal import Foundation

/// Clock readings of one time zone as instants, by table.
///
/// A reading that a change of the clock repeats is the earlier of its two instants; one that it
/// leaves out is read by the offset after the change.
struct LocalClock: Sendable {
  /// Readings, in milliseconds as if they were UTC, from which each offset holds.
  private var beginnings: [Int64] = [.min]
  private var offsets: [Int64]

  /// `nil` where no zone is called so.
  init?(ofKnown name: String) {
    guard TimeZone(identifier: name) != nil else { return nil }
    self.init(timeZone: name)
  }

  /// - Parameter timeZone: an IANA identifier; an unknown one reads as UTC (flow files are
  ///   checked).
  init(timeZone identifier: String) {
    let zone = TimeZone(identifier: identifier)
    func offset(_ time: Int64) -> Int64 {
      let date = Date(timeIntervalSince1970: Double(time) / 1000)
      return Int64(zone?.secondsFromGMT(for: date) ?? 0) * 1000
    }
    let dayMilliseconds: Int64 = 86_400_000
    var day = TimestampReader.earliest - dayMilliseconds
    offsets = [offset(day)]
    while day < TimestampReader.end + dayMilliseconds {
      let before = offset(day)
      if offset(day + dayMilliseconds) != before {
        // The first second at which the offset is another one.
        var (low, high) = (day / 1000, (day + dayMilliseconds) / 1000)
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(middle * 1000) == before { low = middle } else { high = middle }
        }
        beginnings.append(high * 1000 + before)
        offsets.append(offset(high * 1000))
      }
      day += dayMilliseconds
    }
  }

  /// The instant at which clocks showed this.
  func instant(of reading: Int64) -> Int64 {
    var (low, high) = (0, beginnings.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if beginnings[middle] <= reading { low = middle } else { high = middle }
    }
    return reading - offsets[low]
  }
}
