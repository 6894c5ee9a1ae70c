/// The ids behind hashes, read from the inputs a second time: no run keeps raw ids.
public struct RawIdentifiers {
  private var plan: ScanPlan
  private let key: IdentifierKey
  private let format: EventFormat.Name?
  /// Ids as events have them, by person.
  public private(set) var ids: [IdentifierHash: String] = [:]

  /// - Parameters:
  ///   - plan: of the run whose persons are looked for.
  ///   - key: with which that run hashed ids.
  ///   - format: of all sources; recognised by their first lines if not given.
  public init(plan: ScanPlan, key: IdentifierKey, format: EventFormat.Name? = nil) {
    self.plan = plan
    // What the run samples it has by now.
    self.plan.sampling = nil
    self.key = key
    self.format = format
  }

  /// Adds the ids of persons from a source. Of a person with several, the first by its bytes is
  /// kept, whichever source it is in.
  ///
  /// - Parameter person: the person that an event of a user or a device without one is of; `nil`
  ///   for events that need not be looked at.
  /// - Throws: `InputProblem` where the source can't be read.
  public mutating func add(
    _ source: InputSource, person: (IdentifierHash) -> IdentifierHash?
  ) throws {
    let reader = try LineBlockReader(source, maximumLineBytes: plan.maximumLineBytes)
    let block = LineBlock()
    let detector = FormatDetector()
    var detected: DetectedFormat?
    var judge = LineJudge(plan, key: key, .canonical)
    while try reader.next(block) {
      guard case .lines = block.kind else { continue }
      if block.newName != nil || detected == nil {
        let found = detector.format(of: block, asked: format)
        detected = found
        judge = LineJudge(plan, key: key, found.format)
      }
      let format = detected?.format ?? .canonical
      let lines = block.judged(judge)
      for event in lines.events {
        let (device, user) = (event.device, event.user)
        guard let owner = person(user.isMissing ? device : user) else { continue }
        // One user has one id, and a person of several users has the first of theirs.
        if ids[owner] != nil && owner == (user.isMissing ? device : user) { continue }
        let wanted = Wanted(owner: owner, user: user, device: device)
        note(block.line(of: event, in: lines), wanted, format)
      }
    }
  }

  private struct Wanted {
    var owner: IdentifierHash
    var user: IdentifierHash
    var device: IdentifierHash
  }

  private mutating func note(_ line: [UInt8], _ wanted: Wanted, _ format: EventFormat) {
    guard
      let scalars = JSONFlattener.scalars(of: line, format: format, depth: .everything)
    else { return }
    let found = scalars.values.map(format.identifier).filter { text in
      wanted.user.isMissing
        ? EventFormat.spellings(ofDevice: text).contains {
          key.deviceHashes(of: $0).contains(wanted.device)
        }
        : key.hash(of: text, domain: .user) == wanted.user
    }
    guard let id = found.min(by: RawIdentifiers.precedes) else { return }
    if let known = ids[wanted.owner], !RawIdentifiers.precedes(id, known) { return }
    ids[wanted.owner] = id
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
