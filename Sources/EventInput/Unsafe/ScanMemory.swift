/// Owns everything that a scanner's pointers lead to, for as long as the scanner is used.
///
/// Invariant: every pointer was allocated in `init`, is initialised, and is freed in `deinit` only.
@safe final class ScanMemory {
  let scanner: EventScanner
  private let lexerState: UnsafeMutablePointer<LexerState>
  private let keys: UnsafeMutablePointer<KeyRecords>
  private let tree: UnsafeMutablePointer<PathTree>
  private let starts: UnsafeMutablePointer<UnsafePointer<UInt8>>
  private let ends: UnsafeMutablePointer<UnsafePointer<UInt8>>
  private let kinds: UnsafeMutablePointer<UInt8>
  private let nodeStarts: KeyRecord.Address
  private let nodeLeaves: UnsafeMutablePointer<(first: Int32, end: Int32)>
  private let scratch: UnsafeMutablePointer<ScratchBuffer>
  private let state: UnsafeMutablePointer<EventScannerState>
  private let hashes: UnsafeMutablePointer<HashQueues>
  private let listPlaces: UnsafeMutablePointer<ListPlace>
  private let nothing: UnsafeMutablePointer<UInt8>
  /// What a format needs besides; nil for canonical events.
  private let formatReader: FormatReader?
  var inspector: EventInspector? { formatReader?.inspector }
  var format: EventFormat.Name { formatReader?.format.name ?? .canonical }

  /// - Parameters:
  ///   - format: what the plan was made for.
  ///   - tables: name tables in use already, whose codes stay.
  init(
    plan: ScanPlan, key: IdentifierKey, format: EventFormat = .canonical,
    tables: [NameTable]? = nil
  ) {
    let key = format.mixedIdentity == nil ? key : key.inOneSpace
    let format = format.embedding(plan.fields.map(\.path))
    var paths = DeletionMark.all.map(\.path)
    paths += plan.fields.filter { $0.constant == nil }.map(\.path) + format.ownPaths
    paths += plan.mapped.flatMap(\.usual)
    if plan.isInspecting { paths += EventInspector.arrivalPaths(format) }
    let pathTree = PathTree(paths: paths)
    let leafCount = Int(pathTree.leafCount)
    unsafe lexerState = Self.one(LexerState())
    unsafe keys = Self.one(KeyRecords())
    unsafe tree = Self.one(pathTree)
    unsafe nothing = .allocate(capacity: 64)
    unsafe nothing.initialize(repeating: 0, count: 64)
    unsafe starts = Self.many(UnsafePointer(nothing), leafCount + 1)
    unsafe ends = Self.many(UnsafePointer(nothing), leafCount + 1)
    // Up to a multiple of eight, for `EventScanner.rulesWithValues`; behind them one for each node.
    let kindCount = (leafCount + 8) & ~7
    unsafe kinds = Self.many(ValueKind.missing, kindCount + pathTree.nodes.count)
    unsafe nodeStarts = Self.many(KeyRecord(node: 0), pathTree.nodes.count)
    unsafe nodeLeaves = Self.many((0, 0), pathTree.nodes.count)
    for (index, node) in pathTree.nodes.enumerated() {
      unsafe nodeLeaves[index] = (node.leaves.lowerBound, node.leaves.upperBound)
    }
    unsafe nodeLeaves[0] = (0, Int32(kindCount + pathTree.nodes.count))
    unsafe listPlaces = Self.many(.opened, pathTree.nodes.count)
    for (index, place) in ListPlace.places(format, pathTree).enumerated() {
      unsafe listPlaces[index] = place
    }
    unsafe scratch = Self.one(ScratchBuffer())
    unsafe state = Self.one(
      EventScannerState(plan: plan, tree: pathTree, known: tables, isUntyped: format.isUntyped))
    unsafe state.pointee.timestamps.dayOrder = plan.dayOrder ?? format.dayOrder
    unsafe state.pointee.readsTexts =
      format.hasTexts
      || format.properties.allSatisfy { $0.isEmpty || format.embedded.contains($0) }
    let lines = unsafe LineScanner(
      lexer: JSONLexer(state: lexerState), keys: keys, tree: tree, leafCount: leafCount,
      starts: starts, ends: ends, kinds: kinds, nodeStarts: nodeStarts,
      nodeLeaves: UnsafePointer(nodeLeaves), met: kinds + kindCount,
      sharedNode: pathTree.sharedNode, listPlaces: UnsafePointer(listPlaces), scratch: scratch)
    let isCanonical =
      format.name == .canonical && format.embedded.isEmpty && !plan.isInspecting
      && !format.isUntyped
    unsafe hashes = Self.one(HashQueues(key))
    let formatReader =
      isCanonical
      ? nil
      : FormatReader(
        format, lines: lines, tree: pathTree, isInspecting: plan.isInspecting,
        identifiers: plan.fields.filter(\.role.isIdentifier).map(\.path))
    self.formatReader = formatReader
    scanner = unsafe EventScanner(
      lines: lines, state: state, hashes: hashes, key: key,
      sampled: Self.one(SampledLines(plan.sampling, format: format.name)), format: formatReader)
  }

  /// The leaves at paths of the plan.
  func leaves(of paths: [[String]]) -> [Int] {
    paths.compactMap { unsafe tree.pointee.leaf(of: $0).map(Int.init) }
  }

  deinit {
    unsafe keys.pointee.deallocate()
    unsafe scratch.pointee.deallocate()
    unsafe state.pointee.deallocate()
    unsafe hashes.pointee.deallocate()
    unsafe Self.free(lexerState, 1)
    unsafe Self.free(keys, 1)
    unsafe Self.free(tree, 1)
    unsafe Self.free(scratch, 1)
    unsafe Self.free(scanner.sampled, 1)
    unsafe Self.free(state, 1)
    unsafe Self.free(hashes, 1)
    unsafe starts.deallocate()
    unsafe ends.deallocate()
    unsafe kinds.deallocate()
    unsafe nodeStarts.deallocate()
    unsafe nodeLeaves.deallocate()
    unsafe listPlaces.deallocate()
    unsafe nothing.deallocate()
  }

  private static func one<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    unsafe many(value, 1)
  }

  private static func many<Value>(_ value: Value, _ count: Int) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: count)
    unsafe pointer.initialize(repeating: value, count: count)
    return unsafe pointer
  }

  private static func free<Value>(_ pointer: UnsafeMutablePointer<Value>, _ count: Int) {
    unsafe pointer.deinitialize(count: count)
    unsafe pointer.deallocate()
  }
}
