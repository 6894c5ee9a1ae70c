internal import Synchronization

/// How much memory the facts of a run may take, and where the rest goes.
///
/// Under a limit the facts of all workers stand in memory until together they pass the budget. Then
/// a worker with a good share of them spills its own, and begins again with empty lists:
///
///     worker 0 ─ logs ─── over the budget: sort by person and time, delta-code, checksum
///                      ──► collected-0.segment   persons 0…255 · device-only facts 0…255
///     worker 1 ─ logs ───► collected-1.segment   · who was seen on which device 0…255
///     at the end, device partition by device partition (`SpilledStitching`):
///       users of devices + device-only facts ──► stitched.segment   persons 0…255
///                                            ──► waiting.segment    for whom the time decides
///     then, for one flow, `Timelines.partition(i)` gathers a partition from these, sorts it and
///     drops repetitions; the horizon passes over records too early to matter. For several flows:
///       gather, sort, drop repetitions ──► timelines.segment   one list a partition
///     and `Timelines.partition(i)` reads one of them back for each flow.
///
/// A worker has a file of its own: threads that write to one file would wait for each other.
///
/// A worker's codes of actions and contexts stay its own on disk; the small tables that explain
/// them stay in memory. If the budget was never passed nothing is written and nothing changes.
final class FactBudget: Sendable {
  let folder: SpillFolder
  /// For the facts that are collected, of all workers.
  let bytes: Int
  let workers: Int
  private let held = Atomic<Int>(0)
  /// What the descriptions of all segments take in memory.
  private let described = Atomic<Int>(0)
  private struct Collected {
    /// By worker.
    var files: [Int: SegmentFile] = [:]
    var segments: [Segment] = []
  }

  private let collected = Mutex(Collected())

  init(_ limit: MemoryLimit, workers: Int) {
    folder = limit.folder
    bytes = limit.factBytes
    self.workers = max(1, workers)
  }

  /// What was spilled so far.
  var segments: [Segment] { collected.withLock { $0.segments } }

  /// Tells how much a worker's holding has changed.
  ///
  /// - Returns: whether all workers together hold too much, and this one enough of it that spilling
  ///   it is worth its while: a good share of the limit, and no less than what its segments so far
  ///   take to describe. Under a limit that is far too small each batch would be spilled else, and
  ///   the descriptions would take more memory than the facts.
  func hold(change: Int, own: Int) -> Bool {
    let all = held.wrappingAdd(change, ordering: .relaxed).newValue
    if all <= bytes || own < bytes / (workers * 2) { return false }
    return own >= described.load(ordering: .relaxed) / workers
  }

  /// A writer for what a worker holds.
  func writer(worker: Int) throws(SpillError) -> SegmentWriter {
    let file = collected.withLock { collected -> Result<SegmentFile, SpillError> in
      if let file = collected.files[worker] { return .success(file) }
      do throws(SpillError) {
        let file = try folder.makeFile("collected-\(worker).segment")
        collected.files[worker] = file
        return .success(file)
      } catch {
        return .failure(error)
      }
    }
    return SegmentWriter(
      try file.get(), lists: Segment.collectorLists, worker: worker)
  }

  func add(_ segment: Segment) {
    described.wrappingAdd(segment.descriptionBytes, ordering: .relaxed)
    collected.withLock { $0.segments.append(segment) }
  }

  /// Gives up what was collected, once it stands elsewhere.
  func removeCollected() {
    collected.withLock { collected in
      for file in collected.files.values { folder.removeFile(file) }
      collected = Collected()
    }
  }
}
