internal import EventInput
internal import Foundation

/// Of which events a sample is, so that reports are not made of another one than on one machine.
struct SampleRule: Codable, Sendable, Hashable {
  /// Which ids the events must have: a flow's `identity`.
  var identity: String
  /// The paths that were not looked at.
  var redacted: [String]

  init(_ identity: String, _ redacted: RedactedPaths) {
    self.identity = identity
    self.redacted = redacted.texts
  }
}

/// The header of a task's sample.
struct SampleHeader: Codable, Sendable, Hashable {
  var origin: SegmentOrigin
  var rule: SampleRule
  var events: Int
}

/// A sample in JSON.
struct WrittenSample: Codable, Sendable, Hashable {
  /// How many of a run's events are looked at, on one machine and on many.
  static let limit = PropertySampling.eventsOfReports

  var sample: PropertySample

  init(_ sample: PropertySample) { self.sample = sample }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let bytes = [UInt8](try container.decode(Data.self))
    do {
      sample = try PropertySample(bytes, limit: Self.limit)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no sample")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(sample.bytes))
  }
}

extension SampleFindings {
  /// Whether the counts of a file can be shown.
  package var isSound: Bool {
    WrittenNumbers.areSound([sampledEvents])
      && (personal.map { ($0.events, $0.sampledEvents) }
        + crawlers.map { ($0.events, $0.sampledEvents) })
        .allSatisfy { events, sampled in
          events >= 0 && events <= sampled && sampled == sampledEvents
        }
  }
}
