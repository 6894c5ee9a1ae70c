internal import Synchronization
internal import WorkerThreads

private let slash = UInt8(ascii: "/")

extension String {
  /// Whether it ends in a slash, whatever mark that is joined with as a character.
  fileprivate var hasSlash: Bool { utf8.last == slash }
}

/// What an address leads to: one object, or all below a prefix, chosen as files in folders are.
struct RemoteSearch {
  /// What was found.
  struct Finding {
    var sources: [InputSource] = []
    var problems: [InputProblem] = []
    var passedOver: [PassedOverFile] = []
    /// Tables of Segment's calls.
    var calls: [(source: InputSource, finding: DumpRecognition.Finding)] = []
  }

  /// So many objects are looked at at a time.
  private static let looksAtOnce = 16

  let access: RemoteAccess
  let recognises: Bool
  /// See ``DumpRecognition/init(plan:)``.
  let plan: ScanPlan?

  /// - Parameter argument: an address, which is shown without its secrets.
  func find(_ argument: String) -> Finding {
    do throws(RemoteFailure) {
      switch try RemoteAddress(argument) {
      case .web(let web):
        let object = RemoteObject(
          address: .web(web), byteCount: nil, entityTag: nil, access: access)
        return Finding(sources: [InputSource(kind: .remote(object))])
      case .s3(let bucket, let key): return try find(bucket: bucket, key: key)
      }
    } catch {
      let name = RemoteAddress.shown(argument)
      return Finding(problems: [InputProblem(name: name, message: error.message)])
    }
  }

  private func find(bucket: String, key: String) throws(RemoteFailure) -> Finding {
    let store = ObjectStore(access: access, bucket: bucket)
    // A star at the end stands for all keys that begin like this one; no other pattern is known.
    let beginning = key.hasSuffix("*") ? String(key.dropLast()) : nil
    let prefix = beginning ?? (key.isEmpty || key.hasSlash ? key : key + "/")
    let entries: [BucketPage.Entry]
    do throws(ObjectStore.Refusal) {
      if key.utf8.count != prefix.utf8.count {
        // An object's own key comes before all longer ones.
        if let first = try store.list(prefix: key, limit: 1).first,
          first.key.utf8.elementsEqual(key.utf8)
        {
          return Finding(sources: [source(bucket, first)])
        }
      }
      entries = try store.list(prefix: prefix)
    } catch {
      // Those who may not list a bucket may still read an object of it.
      if error.error?.status == 403, error.error?.code == "AccessDenied",
        key.utf8.count != prefix.utf8.count
      {
        return Finding(sources: [source(bucket, BucketPage.Entry(key: key))])
      }
      throw RemoteFailure(error.message)
    }
    return try choose(entries, bucket, prefix)
  }

  private func source(_ bucket: String, _ entry: BucketPage.Entry) -> InputSource {
    let object = RemoteObject(
      address: .s3(bucket: bucket, key: entry.key), byteCount: entry.byteCount,
      entityTag: entry.entityTag, access: access)
    return InputSource(kind: .remote(object))
  }

  /// The dumps among the objects below a prefix.
  private func choose(
    _ entries: [BucketPage.Entry], _ bucket: String, _ prefix: String
  ) throws(RemoteFailure) -> Finding {
    var finding = Finding()
    // Names are judged below the folder that the prefix ends in, or in the middle of a name.
    let folder = prefix.utf8.lastIndex(of: slash).map { prefix.utf8[...$0].count } ?? 0
    var unknown: [(place: Int, source: InputSource)] = []
    var chosen: [InputSource?] = []
    let lakes = Self.lakes(entries)
    for lake in lakes.sorted() {
      finding.problems.append(
        InputProblem(
          name: RemoteAddress.shown("s3://\(bucket)/\(lake)"), message: LakeTable.remoteAdvice))
    }
    for entry in entries where entry.byteCount != 0 && !entry.key.hasSlash {
      if lakes.contains(where: entry.key.hasPrefix) { continue }
      let parts = Array(entry.key.utf8.dropFirst(folder)).split(separator: slash)
      if parts.contains(where: { $0.first == UInt8(ascii: ".") }) { continue }
      let (source, name) = (source(bucket, entry), Array(parts.last ?? []))
      func leave(_ reason: PassedOverFile.Reason) {
        finding.passedOver.append(PassedOverFile(path: InputPath(source.name), reason: reason))
      }
      if InputExpansion.isDump(name) {
        chosen.append(source)
      } else if InputExpansion.isRejects(name) {
        leave(.rejects)
      } else if InputExpansion.isUnfinished(name) {
        leave(.unfinished)
      } else if recognises {
        unknown.append((chosen.count, source))
        chosen.append(nil)
      }
    }
    for (look, seen) in zip(unknown, look(at: unknown.map(\.source))) {
      let path = InputPath(look.source.name)
      switch seen {
      case .events: chosen[look.place] = look.source
      case .calls:
        chosen[look.place] = look.source
        finding.calls.append((look.source, seen))
      case .isEmpty: break
      case .noEvents: finding.passedOver.append(PassedOverFile(path: path, reason: .noEvents))
      case .foreign(let kind):
        finding.passedOver.append(PassedOverFile(path: path, reason: .foreign(kind)))
      case .unreadable(let message):
        finding.problems.append(InputProblem(name: look.source.name, message: message))
      }
    }
    finding.sources = chosen.compactMap { $0 }
    if finding.sources.isEmpty && finding.problems.isEmpty {
      throw RemoteFailure(nothingThere(entries, prefix))
    }
    return finding
  }

  /// Folders of tables whose log, which lies in them, says which of their rows count.
  private static func lakes(_ entries: [BucketPage.Entry]) -> Set<String> {
    var lakes: Set<String> = []
    for entry in entries where LakeTable.logs.contains(where: entry.key.contains) {
      var folder = ""
      for part in entry.key.split(separator: "/", omittingEmptySubsequences: false) {
        if LakeTable.logs.contains(String(part)) {
          lakes.insert(folder)
          break
        }
        folder += part + "/"
      }
    }
    return lakes
  }

  private func nothingThere(_ entries: [BucketPage.Entry], _ prefix: String) -> String {
    if !entries.isEmpty {
      return "no object with events here; if there is one, name it itself"
    }
    if prefix.isEmpty { return "the bucket is empty" }
    let isPattern = prefix.dropLast().contains { "*?[".contains($0) }
    return "no object has this key, and none a key that begins with '\(prefix)'"
      + (isPattern
        ? "; of patterns only a star at the end is read here, for all keys that begin alike" : "")
  }

  /// The beginnings of objects, some at a time.
  private func look(at sources: [InputSource]) -> [DumpRecognition.Finding] {
    let looks = Looks(sources, plan)
    let threads = (0..<min(Self.looksAtOnce, sources.count)).compactMap { _ in
      try? SystemThread { looks.work() }
    }
    if threads.isEmpty { looks.work() }
    for thread in threads { thread.join() }
    return looks.findings.withLock { $0 }
  }

  /// What several threads share.
  private final class Looks: Sendable {
    let findings: Mutex<[DumpRecognition.Finding]>
    private let sources: [InputSource]
    private let plan: ScanPlan?
    private let next = Atomic<Int>(0)

    init(_ sources: [InputSource], _ plan: ScanPlan?) {
      self.sources = sources
      self.plan = plan
      findings = Mutex(Array(repeating: .noEvents, count: sources.count))
    }

    func work() {
      let recognition = DumpRecognition(plan: plan)
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < sources.count else { return }
        let finding = recognition.look(sources[index])
        findings.withLock { $0[index] = finding }
      }
    }
  }
}
