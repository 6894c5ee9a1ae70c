internal import Synchronization

/// How much memory the facts of a run may take, and where the rest goes.
///
/// Under a limit the facts of all workers stand in memory until together they pass the budget. Then
/// a worker with a good share of them spills its own: the lists of its logs go to a file as they
/// stand, in pieces with a checksum each, and go on empty.
///
///     worker 0 ─ logs ─── over the budget ──► collected-0.facts
///     worker 1 ─ logs ─────────────────────► collected-1.facts
///     at the end, device partition by device partition (`Stitching`):
///       who was seen where ──► sightings.facts   ─► facts of devices ──► stitched.facts
///
/// A reader of a list reads what was spilled of it first. A worker has a file of its own: threads
/// that write to one file would wait for each other. Once anything was spilled, the rest follows
/// when all is read.
///
/// Tables of actions and contexts stay in memory. If the budget was never passed nothing is
/// written and nothing changes.
final class FactBudget: Sendable {
  let folder: SpillFolder
  /// For the facts that are collected, of all workers.
  let bytes: Int
  let workers: Int
  private let held = Atomic<Int>(0)
  /// What the descriptions of all spilled pieces take in memory.
  private let described = Atomic<Int>(0)
  /// By worker.
  private let files = Mutex<[Int: SegmentFile]>([:])

  init(_ limit: MemoryLimit, workers: Int) {
    folder = limit.folder
    bytes = limit.factBytes
    self.workers = max(1, workers)
  }

  /// Whether any worker spilled facts.
  var hasSpilled: Bool { files.withLock { !$0.isEmpty } }

  /// So much of one worker is worth spilling.
  var ownShare: Int { bytes / (workers * 2) }

  /// Records how much a worker's holding has changed.
  ///
  /// - Returns: whether all workers together hold too much, and this one enough of it that spilling
  ///   it is worth its while: a good share of the limit, and no less than what its pieces so far
  ///   take to describe. Under a limit that is far too small each batch would be spilled else, and
  ///   the descriptions would take more memory than the facts.
  func hold(change: Int, own: Int) -> Bool {
    let all = held.wrappingAdd(change, ordering: .relaxed).newValue
    if all <= bytes || own < ownShare { return false }
    return own >= described.load(ordering: .relaxed) / workers
  }

  /// Records that pieces were spilled whose descriptions take so much memory.
  func describe(_ bytes: Int) { described.wrappingAdd(bytes, ordering: .relaxed) }

  /// The file of a worker, made when it is first needed.
  func file(worker: Int) throws(SpillError) -> SegmentFile {
    let file = files.withLock { files -> Result<SegmentFile, SpillError> in
      if let file = files[worker] { return .success(file) }
      do throws(SpillError) {
        let file = try folder.makeFile("collected-\(worker).facts")
        files[worker] = file
        return .success(file)
      } catch {
        return .failure(error)
      }
    }
    return try file.get()
  }
}
