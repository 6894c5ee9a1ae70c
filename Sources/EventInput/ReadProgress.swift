internal import Synchronization

/// How far reading is, to be watched from another thread.
///
/// It is updated once a block of lines, so that an event costs nothing.
public final class ReadProgress: Sendable {
  private let bytesRead = Atomic<Int>(0)
  private let eventsRead = Atomic<Int>(0)

  /// Nothing is read yet.
  public init() {}

  /// Bytes of the sources, as they lie on disk, that have been read.
  public var bytes: Int { bytesRead.load(ordering: .relaxed) }

  /// Events found so far.
  public var events: Int { eventsRead.load(ordering: .relaxed) }

  package func add(bytes: Int, events: Int) {
    bytesRead.wrappingAdd(bytes, ordering: .relaxed)
    eventsRead.wrappingAdd(events, ordering: .relaxed)
  }
}
