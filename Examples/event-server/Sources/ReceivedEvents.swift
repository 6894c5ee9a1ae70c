import FirstMile
import Foundation

/// The events that a server has received, in memory. A real one would also write them to files, for
/// which `EventFileWriter` is there.
actor ReceivedEvents {
  private var events: [OnboardingEvent] = []

  /// Takes lines of JSON, all of them or none.
  ///
  /// - Returns: how many events they were.
  /// - Throws: `DecodingError` or ``EventMistake``.
  func append(_ lines: Data) throws -> Int {
    let decoder = JSONDecoder()
    let received = try lines.split(separator: UInt8(ascii: "\n")).map {
      let event = try decoder.decode(OnboardingEvent.self, from: $0)
      try event.validate()
      return event
    }
    events += received
    return received.count
  }

  /// What the flow's numbers are now.
  func result(of flow: Flow) async throws(FunnelAnalysisError) -> FunnelResult {
    try await FunnelAnalysis(flow: flow).run(events: events)
  }
}
