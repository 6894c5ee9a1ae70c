import EventInput
import Foundation

/// A folder that files land in: which of them are whole?
///
/// A file is whole when it was renamed into place (it was seen before under a name that is no
/// dump's, or its content is older than its place), or when it has not changed for a while.
struct LandingFolder {
  let path: String
  let settleSeconds: Double
  private var looks: [InputSource: (look: Look, since: Date)] = [:]
  /// What was handed out, as it looked then.
  private var handedOut: [InputSource: Look] = [:]
  /// What can't be looked at, as of the last look and the one before: what comes and goes between
  /// two looks is no problem.
  private var lastProblems: [InputProblem] = []
  private(set) var problems: [InputProblem] = []
  /// Those that are there for the first time since they were not.
  private(set) var newProblems: [InputProblem] = []
  /// Rejected lines of earlier runs, as of the last look.
  private var passedOver: Set<PassedOverFile> = []
  /// Those that were not there at the look before.
  private(set) var newPassedOver: [PassedOverFile] = []
  /// Inodes that were seen under other names than dumps have.
  private var unfinished: Set<UInt64> = []

  private struct Look: Equatable {
    var inode: UInt64
    var bytes: Int64
    var modified: Double
    /// When the name, the mode or the content last changed.
    var changed: Double
  }

  init(path: String, settleSeconds: Double) {
    self.path = path
    self.settleSeconds = settleSeconds
  }

  /// The dumps that have become whole since the last look, each once; one that was replaced under
  /// its name counts as new.
  mutating func look(now: Date = .now) -> [InputSource] {
    let (sources, found, passedOver) = InputExpansion.expand([path], looksInside: false)
    note(found)
    newPassedOver = passedOver.filter { !self.passedOver.contains($0) }
    self.passedOver = Set(passedOver)
    var whole: [InputSource] = []
    var seen: [InputSource: (look: Look, since: Date)] = [:]
    for source in sources {
      guard case .file(let place) = source.kind, let look = LandingFolder.look(at: place) else {
        continue
      }
      let known = looks[source].flatMap { $0.look == look ? $0.since : nil }
      seen[source] = (look, known ?? now)
      let isRenamed = unfinished.contains(look.inode)
      let isSettled = known != nil || look.changed - look.modified > 1
      // The clock that the file's time is of may be ahead of this one.
      let age = max(
        now.timeIntervalSince1970 - look.modified, now.timeIntervalSince(known ?? now))
      guard isRenamed || (isSettled && age >= settleSeconds) else { continue }
      if handedOut[source] != look { whole.append(source) }
      handedOut[source] = look
    }
    looks = seen
    noteUnfinished(Set(sources.map(\.name)))
    return whole
  }

  private mutating func note(_ problems: [InputProblem]) {
    // Nothing has to have landed yet.
    let found = problems.filter { $0.kind != .emptyFolder }
    let lasting = found.filter(lastProblems.contains)
    newProblems = lasting.filter { !self.problems.contains($0) }
    self.problems = lasting
    lastProblems = found
  }

  private mutating func noteUnfinished(_ dumps: Set<String>) {
    unfinished = []
    guard let names = FileManager.default.enumerator(atPath: path) else { return }
    for case let name as String in names where !dumps.contains(joined(name)) {
      if let look = LandingFolder.look(at: InputPath(joined(name))) {
        unfinished.insert(look.inode)
      }
    }
  }

  private func joined(_ name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  private static func look(at path: InputPath) -> Look? {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else {
      return nil
    }
    #if os(Linux)
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #else
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #endif
    func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 }
    return Look(
      inode: UInt64(status.st_ino), bytes: Int64(status.st_size), modified: seconds(modified),
      changed: seconds(changed))
  }
}
