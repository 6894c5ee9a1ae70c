import Foundation

/// Bytes on their way from the thread that fetches them to the one that reads them: at most
/// `capacity` and what libcurl hands over at once.
///
/// Everything is under `condition`.
final class TransferBuffer: @unchecked Sendable {
  static let capacity = 2 << 20
  private static let chunkBytes = 1 << 18

  private let condition = NSCondition()
  private var chunks: [[UInt8]] = []
  /// How much of the first chunk was taken.
  private var taken = 0
  private var count = 0
  private var stopped = false
  private var result: Result<Void, InputProblem>?

  var isStopped: Bool {
    condition.lock()
    defer { condition.unlock() }
    return stopped
  }

  /// Waits for room; false where nobody reads any more.
  func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while count >= Self.capacity && !stopped { condition.wait() }
    if stopped { return false }
    // Services that send little at a time must not fill the memory with the ends of arrays.
    if let last = chunks.indices.last, chunks[last].count + bytes.count <= Self.chunkBytes {
      unsafe chunks[last] += bytes
    } else {
      unsafe chunks.append(Array(bytes))
    }
    count += bytes.count
    condition.broadcast()
    return true
  }

  /// Nothing more comes.
  func finish(_ result: Result<Void, InputProblem>) {
    condition.lock()
    self.result = result
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for bytes; 0 at the end.
  func take(into target: UnsafeMutableRawBufferPointer) throws(InputProblem) -> Int {
    condition.lock()
    defer { condition.unlock() }
    while chunks.isEmpty && result == nil { condition.wait() }
    guard let first = chunks.first else {
      try result?.get()
      return 0
    }
    let taking = min(target.count, first.count - taken)
    unsafe first.withUnsafeBytes { bytes in
      unsafe target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[taken..<(taken + taking)]))
    }
    taken += taking
    count -= taking
    if taken == first.count {
      chunks.removeFirst()
      taken = 0
    }
    condition.broadcast()
    return taking
  }

  /// Nobody reads any more.
  func stop() {
    condition.lock()
    stopped = true
    chunks = []
    condition.broadcast()
    condition.unlock()
  }

  /// Waits, but not when nobody reads any more.
  func pause(seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    while !stopped, condition.wait(until: end) {}
    condition.unlock()
  }
}
