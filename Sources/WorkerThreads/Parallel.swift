internal import Synchronization

/// Independent pieces of work on some threads, results in the order of the pieces.
public enum Parallel {
  /// Runs `work(0)` … `work(count - 1)`, at most `threads` at a time; pieces are taken in order,
  /// so a slow one holds up nothing but itself.
  public static func map<Result: Sendable>(
    count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    if threads <= 1 || count <= 1 { return (0..<count).map(work) }
    let next = WorkQueue()
    let parts = await withTaskGroup(of: [(Int, Result)].self) { group in
      for _ in 0..<min(threads, count) {
        group.addTask { @concurrent in
          var done: [(Int, Result)] = []
          while let piece = next.take(below: count) { done.append((piece, work(piece))) }
          return done
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    return parts.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Work that may fail; throws the first failure in the order of the pieces.
  public static func map<Output: Sendable, Failure: Error>(
    count: Int, threads: Int,
    throwing work: @escaping @Sendable (Int) throws(Failure) -> Output
  ) async throws(Failure) -> [Output] {
    let results = await map(count: count, threads: threads) { piece -> Result<Output, Failure> in
      do throws(Failure) { return .success(try work(piece)) } catch { return .failure(error) }
    }
    var outputs: [Output] = []
    for result in results { outputs.append(try result.get()) }
    return outputs
  }
}

/// Returns 0, 1, 2 …, each once, to callers on any thread.
public final class WorkQueue: Sendable {
  private let taken = Atomic<Int>(0)

  /// A count that begins with 0.
  public init() {}

  /// The next piece; `nil` when all below `count` are taken.
  public func take(below count: Int) -> Int? {
    let piece = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return piece < count ? piece : nil
  }
}
