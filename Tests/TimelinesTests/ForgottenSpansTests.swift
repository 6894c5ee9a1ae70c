import EventInput
import ReferenceEvaluator
import Testing

@testable import Timelines

/// On a device that several users share, those facts without a user are forgotten with one that
/// stitching gives to this one.
struct ForgottenSpansTests {
  private static let device = IdentifierKey.fixed.hash(of: "tablet", domain: .device)
  private static let users = ["ada", "bob", "eve"].map {
    IdentifierKey.fixed.hash(of: $0, domain: .user)
  }

  /// As a segment of a store has them.
  private static func stored(_ seen: [Sighting]) throws -> StoredSightings {
    let buffer = StoredSegmentBuffer()
    for user in users {
      let facts = seen.filter { $0.user == user }.map {
        StoredFact(
          fact: Fact(timeMilliseconds: $0.timeMilliseconds, action: 0, context: 0, session: 0),
          source: 0)
      }
      buffer.append(user: user, device: device, facts)
    }
    let bytes = buffer.take(partition: 0).bytes
    var sightings = StoredSightings(
      users: [], devices: [device], united: IdentityGraph([UserLink]()))
    try sightings.add(unsafe bytes.withUnsafeBytes { unsafe StoredBytes($0) }, of: [true])
    return sightings
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func theSpansHoldWhatStitchingGivesWithAnyLimit(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let limits = Set(
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        Int64.random(in: 1...30, using: &generator)
      })
    let seen = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
      Sighting(
        timeMilliseconds: Int64.random(in: 100...180, using: &generator),
        user: Self.users[Int.random(in: 0..<3, using: &generator)])
    }.sorted { $0.timeMilliseconds < $1.timeMilliseconds }
    let sightings = try Self.stored(seen)
    for user in Self.users {
      var forgotten = ForgottenPersons()
      let spans = sightings.spans(of: user, on: Self.device, within: limits)
      for span in spans.shuffled(using: &generator) {
        forgotten.insert(device: Self.device, milliseconds: span)
      }
      let isAlone = Set(seen.map(\.user)) == [user]
      let wrong = (0...300 as ClosedRange<Int64>).filter { time in
        let isGiven = limits.contains {
          Sighting.owner(of: time, seen: seen, within: $0) == user
        }
        return forgotten.contains(user: .missing, device: Self.device, at: time)
          != (isAlone || isGiven)
      }
      #expect(wrong.isEmpty, "\(limits), \(seen.map(\.timeMilliseconds))")
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func spansThatComeInAnyOrderHoldTheSameMoments(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let moments = [Int64.min, .min + 1] + Array(-8...8) + [.max - 1, .max]
    var (forgotten, spans) = (ForgottenPersons(), [ClosedRange<Int64>]())
    for _ in 0..<12 {
      let first = Int.random(in: moments.indices, using: &generator)
      let last = min(first + Int.random(in: 0...4, using: &generator), moments.count - 1)
      spans.append(moments[first]...moments[last])
      forgotten.insert(device: Self.device, milliseconds: moments[first]...moments[last])
      for moment in moments {
        #expect(
          forgotten.contains(user: .missing, device: Self.device, at: moment)
            == spans.contains { $0.contains(moment) })
      }
      let kept = forgotten.devices[Self.device] ?? []
      #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound - 1 })
    }
  }
}
