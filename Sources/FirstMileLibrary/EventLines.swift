import EventInput
import OnboardingEvents

/// Events in memory as lines of a dump, in pieces that several threads can read.
struct EventLines {
  private static let pieceBytes = 8 << 20

  private(set) var sources: [InputSource] = []
  private var piece: [UInt8] = []
  private var count = 0

  /// - Throws: ``FunnelAnalysisError/invalidEvent(position:_:)``
  mutating func append(_ event: OnboardingEvent) throws(FunnelAnalysisError) {
    count += 1
    do {
      piece += try event.line()
    } catch {
      throw .invalidEvent(position: count, error)
    }
    if piece.count >= Self.pieceBytes { endPiece() }
  }

  /// Says that all events are there.
  mutating func finish() { if !piece.isEmpty { endPiece() } }

  private mutating func endPiece() {
    let name = "memory-\(sources.count + 1)"
    sources.append(InputSource(kind: .memory(InMemoryBytes(name: name, content: piece))))
    piece = []
  }
}
