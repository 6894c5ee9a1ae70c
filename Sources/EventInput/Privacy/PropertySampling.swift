internal import Synchronization

/// A sample of the events of a run, as whole lines with all their properties: those that come first
/// by a hash of their content. A line that occurs several times is in it once.
///
/// Scanners add to it from all threads. As it is the smallest of a set, neither their order nor the
/// way in which the events are cut into files matters.
public final class PropertySampling: Sendable {
  /// In how many events reports look for personal text and crawlers.
  public static let eventsOfReports = 512

  let limit: Int
  /// Which ids the sampled events must have, where the plan takes more events than are counted.
  let identifiers: RequiredIdentifiers
  private let lines = Mutex<[SampledLine]>([])

  /// For places in the sample; not secret, and the same in every run.
  static let hash = SipHash(key0: 0x7072_6F70_6572_7479, key1: 0x7361_6D70_6C65_0000)

  /// - Parameters:
  ///   - limit: how many lines are kept.
  ///   - identifiers: which ids their events must have, beyond what the plan asks for.
  public init(limit: Int, identifiers: RequiredIdentifiers = .any) {
    self.limit = max(1, limit)
    self.identifiers = identifiers
  }

  /// Adds lines, and keeps those that come first.
  ///
  /// - Returns: the last line of the full sample, before which others must come to get into it;
  ///   `nil` while there is room.
  func add(_ more: [SampledLine]) -> SampledLine? {
    lines.withLock { lines in
      let more = more.sorted { $0.precedes($1) }
      var merged: [SampledLine] = []
      merged.reserveCapacity(min(limit, lines.count + more.count))
      var (known, added) = (0, 0)
      while merged.count < limit && (known < lines.count || added < more.count) {
        let takesKnown =
          added == more.count || (known < lines.count && !more[added].precedes(lines[known]))
        let line = takesKnown ? lines[known] : more[added]
        if takesKnown { known += 1 } else { added += 1 }
        if let last = merged.last, !last.precedes(line) { continue }
        merged.append(line)
      }
      lines = merged
      return lines.count == limit ? lines.last : nil
    }
  }

  /// The lines of the sample, in its order.
  var sampledLines: [SampledLine] { lines.withLock { $0 } }
}
