#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The search for sources: what was found so far, and what could not be looked at.
struct InputWalk {
  private(set) var sources: [InputSource] = []
  private(set) var problems: [InputProblem] = []
  /// Files of folders that were left out, and not named by another argument.
  var passedOver: [PassedOverFile] {
    var seen = seenFiles
    return leftOut.filter { seen.insert($0.identity).inserted }.map(\.file) + objectsLeftOut
      + partsOfTables
  }
  /// Tables of which a file was named that can't be read by itself.
  private var partsOfTables: [PassedOverFile] = []
  private var calls = RepeatedCalls()
  private var namedFiles: [InputPath] = []
  private var leftOut: [(file: PassedOverFile, identity: FileIdentity)] = []
  /// What looks at the beginning of files; `nil` where only names decide.
  private let recognition: DumpRecognition?
  private let plan: ScanPlan?
  /// How objects over the network are found; `nil` where only files are read.
  private let access: RemoteAccess?
  private var seenObjects: Set<InputSource> = []
  private var objectsLeftOut: [PassedOverFile] = []
  private var seenFiles: Set<FileIdentity> = []
  private var hasStandardInput = false
  /// Folders that the argument at hand has led to already: links may lead back.
  private var seenFolders: Set<FileIdentity> = []
  /// Folders behind links, which come after the others.
  private var linkedFolders: [InputPath] = []
  private var foundDumps = 0
  /// Of the folder at hand: tables of events, and files in which no events were found.
  private var tables: [(path: InputPath, layout: TableLayout)] = []
  private var eventless: [(path: InputPath, file: FileIdentity)] = []
  private var lakes = LakeSearch()
  private var lakesOfNamed = LakeSearch()
  /// Whether the argument at hand leads to parts of a table that can't be read by themselves.
  private var isOfLake = false

  init(looksInside: Bool, plan: ScanPlan?, access: RemoteAccess?) {
    self.access = access
    self.plan = plan
    recognition = looksInside ? DumpRecognition(plan: plan) : nil
  }

  /// What an argument means.
  mutating func add(_ argument: String) {
    if argument == "-" {
      if !hasStandardInput { sources.append(.standardInput) }
      hasStandardInput = true
      return
    }
    if RemoteAddress.isAddress(argument) { return add(address: argument) }
    seenFolders = []
    let (path, problemsBefore) = (InputPath(argument: argument), problems.count)
    (foundDumps, isOfLake) = (0, false)
    switch FileIdentity.look(path) {
    case .success(let file) where file.isFolder:
      if isPartOfLake(path) { return }
      addDumps(under: path)
      if foundDumps == 0 && problems.count == problemsBefore {
        tell(
          path, "no file with events in this folder; if there is one, name it itself",
          kind: .emptyFolder)
      }
    // What is neither file nor folder is read if it is named: in a folder a pipe that nobody writes
    // to would make the run wait for ever.
    case .success(let file):
      namedFiles.append(path)
      if let lake = lakesOfNamed.table(above: path, icebergIsRead: recognition != nil), lake.isNew {
        partsOfTables.append(
          PassedOverFile(path: lake.folder, reason: .partOfTable(lake.advice)))
      }
      add(path, file)
    case .failure where GlobPattern.isPattern(argument):
      var search = PatternSearch(GlobPattern(argument))
      search.run()
      problems += search.problems
      for match in search.found { add(match: match) }
      if foundDumps == 0 && problems.count == problemsBefore && !isOfLake {
        tell(
          path,
          search.found.isEmpty
            ? "no file matches this pattern" : "no dump in the folders that match this pattern")
      }
    case .failure(let failure):
      if let reason = InputWalk.reason(path, failure) {
        tell(path, reason)
      } else {
        tell(path, "no such file or folder", kind: .nothingThere)
      }
    }
  }

  private mutating func add(address: String) {
    guard let access else {
      return tell(InputPath(RemoteAddress.shown(address)), "only files are read here")
    }
    let found = RemoteSearch(
      access: access, recognises: recognition != nil, plan: plan
    ).find(address)
    sources += found.sources.filter { seenObjects.insert($0).inserted }
    problems += found.problems
    objectsLeftOut += found.passedOver
    for table in found.calls { note(table.source, table.finding) }
  }

  private mutating func add(match path: InputPath) {
    if isPartOfLake(path) { return }
    switch FileIdentity.look(path.orCurrent) {
    case .success(let file) where file.isFolder: addDumps(under: path)
    case .success(let file) where file.isRegular:
      // What is called a dump isn't looked at in folders either: there may be thousands of them.
      if let recognition, !InputExpansion.isDump(path.lastName) {
        note(.file(path), recognition.look(.file(path)))
      }
      add(path, file)
    case .success: if InputExpansion.isDump(path.lastName) { tellNoFile(path) }
    case .failure(let failure):
      tell(path, InputWalk.reason(path, failure) ?? "was removed just now")
    }
  }

  /// Names the table that a file or folder is a part of, once, where its log alone says which rows
  /// count.
  private mutating func isPartOfLake(_ path: InputPath) -> Bool {
    guard let lake = lakes.table(above: path, icebergIsRead: recognition != nil) else {
      return false
    }
    isOfLake = true
    if lake.isNew { tell(lake.folder, lake.advice) }
    return true
  }

  private mutating func add(_ path: InputPath, _ file: FileIdentity) {
    foundDumps += 1
    if seenFiles.insert(file).inserted { sources.append(.file(path)) }
  }

  /// All dumps in a folder and the folders in it.
  private mutating func addDumps(under folder: InputPath) {
    walk(folder)
    while !linkedFolders.isEmpty { walk(linkedFolders.removeFirst()) }
  }

  private mutating func walk(_ folder: InputPath) {
    guard case .success(let identity) = FileIdentity.look(folder.orCurrent),
      seenFolders.insert(identity).inserted
    else { return }
    if addIcebergTable(folder) { return }
    if let advice = LakeTable.advice(folder) { return tell(folder, advice) }
    let outer = (tables, eventless)
    (tables, eventless) = ([], [])
    look(at: folder)
    findCutTables(in: folder)
    (tables, eventless) = outer
  }

  private mutating func look(at folder: InputPath) {
    let listing = FolderListing(folder)
    if let failure = listing.failure { tell(folder, "can't be listed: \(failure.message)") }
    for name in listing.names where name.first != UInt8(ascii: ".") {
      let path = folder.appending(name)
      switch FileIdentity.look(path, followingLinks: false) {
      case .success(let file) where file.isFolder: walk(path)
      case .success(let file) where file.isLink: follow(path)
      case .success(let file) where !InputExpansion.isDump(name):
        lookInside(path, file)
      case .success(let file) where file.isRegular: add(path, file)
      case .success: tellNoFile(path)
      case .failure(let failure) where failure.number == ENOENT:
        if InputExpansion.isDump(name) { tell(path, "was removed while its folder was read") }
      case .failure(let failure):
        // As a rule it is the folder, and so all names in it.
        tell(path, "can't be looked at: \(failure.message)")
        if failure.number == EACCES { return }
      }
    }
  }

  /// Adds a folder that is one table as one source: its newest version.
  private mutating func addIcebergTable(_ folder: InputPath) -> Bool {
    if recognition == nil { return false }
    let newest = IcebergTable.newest(in: folder)
    guard let path = newest.first else { return false }
    guard newest.count == 1, case .success(let file) = FileIdentity.look(path) else {
      let names = newest.map(\.description).joined(separator: ", ")
      tell(folder, "is an Iceberg table with several newest versions; name one of them: \(names)")
      return true
    }
    // One that is named is read, or is an error; one among other files may be passed over.
    if seenFolders.count == 1 { add(path, file) } else { lookInside(path, file) }
    return true
  }

  private mutating func follow(_ link: InputPath) {
    switch FileIdentity.look(link) {
    case .success(let file) where file.isFolder: linkedFolders.append(link)
    case .success(let file) where !InputExpansion.isDump(link.lastName):
      lookInside(link, file)
    case .success(let file) where file.isRegular: add(link, file)
    case .success: tellNoFile(link)
    case .failure(let failure):
      tell(link, InputWalk.reason(link, failure) ?? "was removed just now")
    }
  }

  private mutating func note(_ source: InputSource, _ finding: DumpRecognition.Finding) {
    guard case .calls(let events, let areOfAllEvents) = finding else { return }
    calls.note(source, events: events, isOfAllEvents: areOfAllEvents)
  }

  /// Takes out the tables whose events stand in others, too, wherever they were found. Called once,
  /// behind the last argument.
  mutating func leaveOutRepeatedCalls() {
    guard let recognition else { return }
    // Others than these are no tables of calls as a rule, and there may be thousands of them.
    if namedFiles.contains(where: { $0.description.lowercased().contains("tracks") }) {
      for path in namedFiles where !InputExpansion.isDump(path.lastName) {
        if (try? FileIdentity.look(path).get())?.isRegular != true { continue }
        note(.file(path), recognition.look(.file(path)))
      }
    }
    for source in calls.tablesOfAll {
      guard let events = recognition.eventNames(of: source) else { continue }
      let path = InputPath(source.name)
      switch calls.verdict(events) {
      case .apart: continue
      case .copy: objectsLeftOut.append(PassedOverFile(path: path, reason: .repeatsOthers))
      case .mixed(let own, let missing):
        tell(path, RepeatedCalls.message(own: own, missing: missing))
      }
      sources.removeAll { $0 == source }
    }
  }

  /// Adds a file with another name if its beginning holds events.
  private mutating func lookInside(_ path: InputPath, _ file: FileIdentity) {
    guard file.isRegular else { return }
    func leave(_ reason: PassedOverFile.Reason) {
      leftOut.append((PassedOverFile(path: path, reason: reason), file))
    }
    if InputExpansion.isRejects(path.lastName) { return leave(.rejects) }
    guard let recognition, !seenFiles.contains(file) else { return }
    if InputExpansion.isUnfinished(path.lastName) { return leave(.unfinished) }
    let finding = recognition.look(.file(path))
    note(.file(path), finding)
    switch finding {
    case .events, .calls:
      add(path, file)
      if let table = recognition.table { tables.append((path, table)) }
    case .noEvents:
      leave(.noEvents)
      eventless.append((path, file))
    case .foreign(let kind): leave(.foreign(kind))
    case .unreadable(let message): tell(path, message)
    case .isEmpty: break
    }
  }

  /// Names files that lack nothing but the header of a table in the same folder: what was one table
  /// and was cut into parts must not be counted by its first part alone.
  private mutating func findCutTables(in folder: InputPath) {
    guard let recognition else { return }
    for (first, layout) in tables where !layout.header.isEmpty {
      let parts = eventless.filter { recognition.isPart(.file($0.path), of: layout) }
      guard let part = parts.first else { continue }
      let files = Set(parts.map(\.file))
      eventless.removeAll { files.contains($0.file) }
      leftOut.removeAll { files.contains($0.identity) }
      seenFiles.formUnion(files)
      let others = parts.count == 1 ? "has" : "and \(parts.count - 1) more like it have"
      tell(
        part.path,
        "\(others) rows without a header, which fit the header of \(first): a table that was cut "
          + "into parts. Put them together again, in their order, and name that file: "
          + "cat \(DuckDBText.shellWord(first.description, isPlain: true)) "
          + "\(DuckDBText.shellWord(part.path.description, isPlain: true))"
          + "\(parts.count == 1 ? "" : " …") > events.csv")
    }
  }

  private mutating func tell(
    _ path: InputPath, _ message: String, kind: InputProblem.Kind = .other
  ) {
    problems.append(InputProblem(name: path.description, message: message, kind: kind))
  }

  private mutating func tellNoFile(_ path: InputPath) {
    tell(path, "is no file but a pipe, socket or device; to read it, name it itself")
  }

  /// Why a path leads to nothing; `nil` where nothing is there.
  static func reason(_ path: InputPath, _ failure: FileIdentity.Failure) -> String? {
    guard failure.number == ENOENT else { return "can't be looked at: \(failure.message)" }
    guard case .success(let file) = FileIdentity.look(path, followingLinks: false), file.isLink
    else { return nil }
    return "is a link that leads nowhere"
  }
}

extension InputPath {
  /// What follows the last slash.
  var lastName: [UInt8] {
    bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
  }
}
