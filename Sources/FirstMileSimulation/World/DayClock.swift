import FlowDefinition
import Foundation

/// Which day after an anchor a time is in: 24 hours each, or dates of the flow's time zone.
struct DayClock: Sendable {
  private let isCalendar: Bool
  /// Times from which an offset from UTC holds, ascending.
  private let offsets: [(from: Int64, milliseconds: Int64)]

  init(_ flow: Flow, from start: Int64, days: Int) {
    isCalendar = flow.day == .calendar
    guard isCalendar, let zone = TimeZone(identifier: flow.timeZone) else {
      offsets = []
      return
    }
    var offsets: [(from: Int64, milliseconds: Int64)] = []
    let end = start + Int64(days + 400) * World.day
    var moment = Date(timeIntervalSince1970: Double(start - 40 * World.day) / 1000)
    while true {
      let from = Int64((moment.timeIntervalSince1970 * 1000).rounded())
      offsets.append((from, Int64(zone.secondsFromGMT(for: moment)) * 1000))
      guard let next = zone.nextDaylightSavingTimeTransition(after: moment),
        Int64(next.timeIntervalSince1970 * 1000) < end, next > moment
      else { break }
      moment = next
    }
    self.offsets = offsets
  }

  /// The number of whole days between: 0 on the anchor's own day, negative before.
  func day(of time: Int64, after anchor: Int64) -> Int {
    isCalendar
      ? Int(date(time) - date(anchor)) : Int(DayClock.floor(time - anchor, World.day))
  }

  /// Whether the day has wholly passed.
  func isOver(day: Int, after anchor: Int64, at time: Int64) -> Bool {
    self.day(of: time, after: anchor) > day
  }

  /// The days since 1970 of the local date.
  private func date(_ time: Int64) -> Int64 {
    let offset = offsets.last { $0.from <= time }?.milliseconds ?? offsets.first?.milliseconds
    return DayClock.floor(time + (offset ?? 0), World.day)
  }

  static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
