/// What a format needs besides paths: after `LineScanner` has walked a line, it puts values into
/// the leaves that the walk could not reach.
///
///     "properties":"{\"page_name\":\"plan\"}"     a text of JSON: walked as if it stood there
///     "event_params":[{"key":"page_name",…}]      a list: each key looked up as an object's
///     "os":{"name":"iOS","version":"26.1"}        two values joined: "iOS 26.1"
///     "batch_page_id":7,"batch_event_index":1     an event's own id, of several values: "7 1"
///
/// Invariants: buffers belong to this object and hold their values until the next line; every leaf
/// is valid for the tree that `lines` walks. One thread at a time uses it.
@safe final class FormatReader {
  typealias Address = UnsafePointer<UInt8>

  /// A leaf and the node whose keys are inside its value.
  struct Container {
    var leaf: Int
    var node: Int32
    /// Whether it holds an event's properties, so that a text there must be JSON.
    var isProperties = false
  }

  let format: EventFormat
  let lines: LineScanner
  private let embedded: [Container]
  private let lists: [ListReader]
  /// Lists that may be a text of JSON; only their leaves matter.
  private let listTexts: [Container]
  private let items: [(container: Container, number: Int)]
  private let described: DescribedReader?
  private let describedColumns: [(leaf: Int, prefix: String)]
  private let joined: [(first: Int, second: Int, target: Int)]
  /// Where the parts of the event's own id stand, and where the whole one is put.
  private let messageParts: (parts: [Int], target: Int)?
  private let texts: UnsafeMutablePointer<ScratchBuffer>
  private let textCount: Int
  /// Behind this one are those of texts in texts.
  private let outerCount: Int
  /// What the members are called whose texts are read, by their leaves.
  let textNames: [Int: String]
  /// What keeps the line at hand from being an event, where `complete` has found so.
  var fault = ""
  /// Leaves of the ids and times that only formats have; nil where the format has none.
  let distinct: Int?
  /// The other places of that id.
  let furtherDistinct: [Int]
  let isIdentified: [Int]
  let library: (leaves: [Int], withUsers: [UInt8])
  let before: [Int]
  private let devicePrefix: [UInt8]
  let mergeMark: Int?
  /// Leaves of sessions, and the values there that stand for none.
  private let silentSessions: [(leaf: Int, values: [[UInt8]], longest: Int)]
  let clock: (original: Int, sent: Int, received: Int)?
  /// Leaves of the calls that say which ids are one person's; nil where the format has none.
  let alias: Alias?
  /// Names calls that have no name of their own; nil where the format has none.
  private let unnamed: UnnamedCalls?
  /// Takes notes for `validate`.
  let inspector: EventInspector?

  /// Set where values have no types.
  let untyped: UntypedIdentifiers?

  /// - Parameter identifiers: the paths of ids in the plan.
  init(
    _ format: EventFormat, lines: LineScanner, tree: PathTree, isInspecting: Bool,
    identifiers: [[String]]
  ) {
    self.format = format
    inspector = isInspecting ? EventInspector(format, tree: tree) : nil
    self.lines = lines
    func leaf(_ path: [String]?) -> Int? { path.flatMap { tree.leaf(of: $0) }.map(Int.init) }
    func container(_ path: [String]) -> Container? {
      guard let leaf = leaf(path), let node = tree.node(of: path) else { return nil }
      return Container(leaf: leaf, node: node, isProperties: format.isProperties(path))
    }
    embedded = format.embedded.compactMap(container)
    lists = format.lists.compactMap { path in
      container(path).map { ListReader(path, $0, lines: lines, tree: tree) }
    }
    listTexts = Self.listTexts(format, leaf)
    textNames = Self.textNames(format, leaf)
    items = format.firstItems.compactMap { path in
      let item = ListItem(path[0])
      guard let leaf = leaf([item.list]), let node = tree.node(of: path) else { return nil }
      return (Container(leaf: leaf, node: node), item.number)
    }
    let described = DescribedReader(format.described, lines: lines, tree: tree)
    self.described = described
    describedColumns = format.described.compactMap { column in
      guard described?.wants(column.prefix) == true else { return nil }
      return leaf(column.column).map { ($0, column.prefix) }
    }
    joined = format.joined.compactMap { pair in
      guard let first = leaf(pair.first), let second = leaf(pair.second),
        let target = leaf(pair.first + ["+"])
      else { return nil }
      return (first, second, target)
    }
    let mixed = format.mixedIdentity ?? EventFormat.MixedIdentity(distinct: [])
    let distinctLeaves = mixed.distinct.compactMap { leaf($0) }
    (distinct, furtherDistinct) = (distinctLeaves.first, Array(distinctLeaves.dropFirst()))
    isIdentified = mixed.isIdentified.compactMap { leaf($0) }
    library = (mixed.library.compactMap { leaf($0) }, Array(mixed.libraryWithUsers.utf8))
    before = mixed.before.compactMap { leaf($0) }
    devicePrefix = Array((mixed.devicePrefix ?? "").utf8)
    mergeMark = leaf(format.mergeMark)
    silentSessions = (format.places[["session_id"]] ?? []).compactMap { path in
      guard let values = format.silent[path], let leaf = leaf(path) else { return nil }
      return (leaf, values.map { Array($0.utf8) }, values.map(\.utf8.count).max() ?? 0)
    }
    clock = Self.clock(format.clock, leaf)
    alias = format.alias.flatMap { Alias($0, leaf) }
    unnamed = format.namesCallsByColumns ? UnnamedCalls(format, leaf) : nil
    untyped = UntypedIdentifiers(format, identifiers, leaf)
    messageParts = format.messageParts.last.flatMap { leaf($0 + [EventFormat.both]) }.map {
      (format.messageParts.compactMap { leaf($0) }, $0)
    }
    // The last one is that of the event's own id.
    outerCount = embedded.count + joined.count + listTexts.count + describedColumns.count + 1
    textCount = outerCount + embedded.count + listTexts.count
    unsafe texts = .allocate(capacity: textCount)
    for index in 0..<textCount { unsafe (texts + index).initialize(to: ScratchBuffer()) }
  }

  private static func clock(
    _ clock: EventFormat.ClockCorrection?, _ leaf: ([String]?) -> Int?
  ) -> (original: Int, sent: Int, received: Int)? {
    guard let original = leaf(clock?.original), let sent = leaf(clock?.sent),
      let received = leaf(clock?.received)
    else { return nil }
    return (original, sent, received)
  }

  /// The id behind what a format puts before ids of devices; nil where that doesn't stand there.
  func withoutDevicePrefix(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let first = devicePrefix.first, unsafe text.first == first,
      unsafe text.starts(with: devicePrefix)
    else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: text.dropFirst(devicePrefix.count))
  }

  deinit {
    for index in 0..<textCount { unsafe texts[index].deallocate() }
    unsafe texts.deinitialize(count: textCount)
    unsafe texts.deallocate()
  }

  /// Fills the leaves that are reached in this format's own way; false if a text that should be
  /// JSON is none.
  func complete() -> Bool {
    if !fault.isEmpty { fault = "" }
    let inner = unsafe texts + outerCount
    for (index, container) in embedded.enumerated() {
      if unsafe !walkText(container, texts + index, inner + index) { return false }
    }
    for (index, container) in listTexts.enumerated() {
      let place = embedded.count + index
      if unsafe !openList(container, texts + joined.count + place, inner + place) { return false }
    }
    for list in lists where !list.read() {
      fault = "the list in '\(Self.shown(list.path))' has no entries with a 'key' and a 'value'"
      return false
    }
    for (container, number) in items { if !walkItem(container, number) { return false } }
    readDescribed()
    for index in silentSessions.indices { silence(index) }
    for (index, pair) in joined.enumerated() { unsafe join(pair, texts + embedded.count + index) }
    if let messageParts { unsafe joinAll(messageParts, texts + outerCount - 1) }
    unnamed?.name(lines)
    return true
  }

  /// Reads an object of an array as if it stood there alone.
  private func walkItem(_ container: Container, _ number: Int) -> Bool {
    guard unsafe lines.kinds[container.leaf] == ValueKind.container else { return true }
    var p = unsafe lines.starts[container.leaf]
    guard unsafe p.pointee == UInt8(ascii: "[") else { return true }
    for _ in 0..<number {
      unsafe p = lines.lexer.skipSpace(p + 1)
      if unsafe p.pointee == UInt8(ascii: "]") { return true }
      guard let next = unsafe lines.lexer.valueEnd(p, depth: 3) else { return false }
      unsafe p = lines.lexer.skipSpace(next)
      if unsafe p.pointee != UInt8(ascii: ",") { return true }
    }
    unsafe p = lines.lexer.skipSpace(p + 1)
    guard unsafe p.pointee == UInt8(ascii: "{") else { return true }
    return unsafe lines.scanObject(p, node: container.node, depth: 3) != nil
  }

  private func readDescribed() {
    guard let described, !describedColumns.isEmpty else { return }
    described.beginLine()
    let firstText = outerCount - 1 - describedColumns.count
    for (index, column) in describedColumns.enumerated() {
      switch unsafe lines.kinds[column.leaf] {
      case ValueKind.container:
        unsafe described.read(lines.starts[column.leaf], prefix: column.prefix)
      case ValueKind.string, ValueKind.escapedString:
        let (first, end) = unsafe unescaped(
          lines.starts[column.leaf], lines.ends[column.leaf], texts + firstText + index)
        if unsafe first < end { unsafe described.read(first, prefix: column.prefix) }
      default: break
      }
    }
  }

  private func join(
    _ pair: (first: Int, second: Int, target: Int), _ room: UnsafeMutablePointer<ScratchBuffer>
  ) {
    let kind = unsafe lines.kinds[pair.first]
    let hasText =
      unsafe kind != ValueKind.missing && kind != ValueKind.container
      && lines.starts[pair.first] != lines.ends[pair.first]
    unsafe lines.kinds[pair.target] = hasText ? kind : ValueKind.missing
    guard hasText else { return }
    let (first, second) = (length(pair.first), length(pair.second))
    let isJoined = isText(pair.second) && second > 0
    if !isJoined {
      unsafe lines.starts[pair.target] = lines.starts[pair.first]
      unsafe lines.ends[pair.target] = lines.ends[pair.first]
      return
    }
    let text = unsafe room.pointee.room(for: first + second + 1)
    unsafe text.update(from: lines.starts[pair.first], count: first)
    unsafe text[first] = UInt8(ascii: " ")
    unsafe (text + first + 1).update(from: lines.starts[pair.second], count: second)
    unsafe lines.starts[pair.target] = UnsafePointer(text)
    unsafe lines.ends[pair.target] = UnsafePointer(text) + first + 1 + second
    let isEscaped =
      unsafe kind == ValueKind.escapedString || lines.kinds[pair.second] == ValueKind.escapedString
    unsafe lines.kinds[pair.target] = isEscaped ? ValueKind.escapedString : ValueKind.string
  }

  /// Puts texts behind each other, where all of them are there; none has escapes.
  private func joinAll(
    _ message: (parts: [Int], target: Int), _ room: UnsafeMutablePointer<ScratchBuffer>
  ) {
    unsafe lines.kinds[message.target] = ValueKind.missing
    let isWhole = message.parts.allSatisfy {
      unsafe isText($0) && lines.kinds[$0] != ValueKind.escapedString && length($0) > 0
    }
    guard isWhole else { return }
    let text = unsafe room.pointee.room(for: message.parts.reduce(0) { $0 + length($1) + 1 })
    var count = 0
    for part in message.parts {
      unsafe (text + count).update(from: lines.starts[part], count: length(part))
      unsafe text[count + length(part)] = UInt8(ascii: " ")
      count += length(part) + 1
    }
    unsafe lines.starts[message.target] = UnsafePointer(text)
    unsafe lines.ends[message.target] = UnsafePointer(text) + count
    unsafe lines.kinds[message.target] = ValueKind.string
  }

  /// Takes away a text that means no session. Most ids of sessions are longer than any such text.
  private func silence(_ index: Int) {
    let (leaf, longest) = (silentSessions[index].leaf, silentSessions[index].longest)
    guard unsafe lines.kinds[leaf] != ValueKind.missing, length(leaf) <= longest, isText(leaf)
    else {
      return
    }
    let text = unsafe UnsafeBufferPointer(start: lines.starts[leaf], count: length(leaf))
    let isSilent = unsafe silentSessions[index].values.contains(where: text.elementsEqual)
    if isSilent { unsafe lines.kinds[leaf] = ValueKind.missing }
  }

  private func length(_ leaf: Int) -> Int { unsafe lines.ends[leaf] - lines.starts[leaf] }

  private func isText(_ leaf: Int) -> Bool {
    let kind = unsafe lines.kinds[leaf]
    return kind == ValueKind.string || kind == ValueKind.escapedString || kind == ValueKind.number
  }
}
