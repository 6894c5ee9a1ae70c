/// What `validate` wants to know of a source besides its events: when they arrived, whether the
/// device's clock agreed with the server's, and which messages came more than once.
public struct SourceInspection: Sendable, Hashable {
  /// Events by the whole hours from their time to their arrival; −1 for events that arrived more
  /// than a minute before they happened. Empty where the events say nothing about their arrival.
  public var arrivalsByHour: [Int: Int] = [:]
  /// Events by the hour in which they happened, since 1970.
  public var eventsByHour: [Int: Int] = [:]
  /// Events with both the device's clock and the server's at one moment.
  public var clockReadings = 0
  /// Of these, clocks that were wrong by more than a minute.
  public var clocksOffByMinutes = 0
  /// Of these, clocks that were wrong by more than an hour.
  public var clocksOffByHours = 0
  /// Which messages came more than once.
  public var messages = MessageSample()

  /// What a source without events shows.
  public init() {}

  /// An hour too large or too small to be distinguished from its neighbours.
  static let largestDelayHours = 24 * 60

  mutating func note(time: Int64, arrival: Int64?, clockError: Int64?) {
    eventsByHour[Int(time / 3_600_000), default: 0] += 1
    if let arrival {
      let delay = arrival - time
      let hours = delay < -60_000 ? -1 : Int(max(0, delay) / 3_600_000)
      arrivalsByHour[min(hours, Self.largestDelayHours), default: 0] += 1
    }
    if let clockError {
      clockReadings += 1
      if abs(clockError) > 60_000 { clocksOffByMinutes += 1 }
      if abs(clockError) > 3_600_000 { clocksOffByHours += 1 }
    }
  }

  /// Adds what another source showed; their delays by file are lost.
  public mutating func merge(_ other: SourceInspection) {
    arrivalsByHour.merge(other.arrivalsByHour, uniquingKeysWith: +)
    eventsByHour.merge(other.eventsByHour, uniquingKeysWith: +)
    clockReadings += other.clockReadings
    clocksOffByMinutes += other.clocksOffByMinutes
    clocksOffByHours += other.clocksOffByHours
    messages.merge(other.messages)
  }
}

/// Message ids, all of them or those whose hash ends in some zeros: which ids are kept depends on
/// the ids alone, so that samples of many files add up.
public struct MessageSample: Sendable, Hashable {
  static let capacity = 8192
  /// How far apart an event may be dated when it is sent again (definitions 1.2).
  public static let retryMilliseconds: Int64 = 10_000
  private struct Seen: Sendable, Hashable {
    /// The hash of the event's name.
    var name: UInt64
    /// Milliseconds since 1970.
    var earliest: Int64
    var latest: Int64
    var count: Int
    var hasSeveralNames: Bool
    /// Beyond what a retry may differ in (definitions 1.2).
    var differs: Bool { hasSeveralNames || latest - earliest >= MessageSample.retryMilliseconds }
  }

  private var seen: [UInt64: Seen] = [:]
  private var mask: UInt64 = 0

  /// A sample of no messages.
  public init() {}

  /// Ids that were kept.
  public var ids: Int { seen.count }
  /// Deliveries of kept ids beyond the first.
  public var repeats: Int { seen.values.reduce(0) { $0 + $1.count - 1 } }
  /// Kept ids that came with another event name, or ten seconds or more apart.
  public var idsWithOtherContent: Int { seen.values.reduce(0) { $0 + ($1.differs ? 1 : 0) } }
  /// Whether not all ids were kept.
  public var isSample: Bool { mask != 0 }

  mutating func note(id: UInt64, name: UInt64, time: Int64) {
    guard id & mask == 0 else { return }
    add(id, Seen(name: name, earliest: time, latest: time, count: 1, hasSeveralNames: false))
    shrink(to: Self.capacity)
  }

  mutating func merge(_ other: MessageSample) {
    narrow(to: mask | other.mask)
    for (id, entry) in other.seen where id & mask == 0 { add(id, entry) }
    shrink(to: 64 * Self.capacity)
  }

  private mutating func add(_ id: UInt64, _ entry: Seen) {
    guard var known = seen[id] else {
      seen[id] = entry
      return
    }
    known.hasSeveralNames =
      known.hasSeveralNames || entry.hasSeveralNames || known.name != entry.name
    // One of both, whichever came first.
    known.name = min(known.name, entry.name)
    known.earliest = min(known.earliest, entry.earliest)
    known.latest = max(known.latest, entry.latest)
    known.count += entry.count
    seen[id] = known
  }

  private mutating func shrink(to bound: Int) {
    while seen.count > bound { narrow(to: mask << 1 | 1) }
  }

  private mutating func narrow(to wider: UInt64) {
    guard wider != mask else { return }
    mask = wider
    seen = seen.filter { $0.key & wider == 0 }
  }
}
