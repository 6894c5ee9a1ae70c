/// Reads data that name their own schemas, as Snowplow's columns have them, into the leaves that
/// the members which its SDKs make of them would have filled (`SchemaName`).
///
///     {"schema":"iglu:…/contexts/…","data":[{"schema":"iglu:com.acme/thing/…","data":{…}},…]}
///     {"schema":"iglu:…/unstruct_event/…","data":{"schema":"iglu:com.acme/page/…","data":{…}}}
///
/// Invariants: those of `FormatReader`; the items' own scanners have memory of their own.
final class DescribedReader {
  typealias Address = UnsafePointer<UInt8>

  /// What is looked for in the items with a schema.
  private struct Wanted {
    var number: Int
    var node: Int32
  }

  private let lines: LineScanner
  private let prefixes: [String]
  private var wanted: [[UInt8]: [Wanted]] = [:]
  /// How many items there were of a schema in this line, by member.
  private var counts: [[UInt8]: Int] = [:]
  /// The members of the schemas that were seen, by prefix; schemas without one, or of which nothing
  /// is wanted, have none.
  private var members: [String: [[UInt8]: [UInt8]?]] = [:]
  private let memories: [ScanMemory]
  private let leaves: (schema: Int, data: Int)

  /// No dump has more schemas than this; others are looked at anew each time.
  private static let maximumSchemas = 4096

  /// `nil` where nothing in such data is wanted.
  init?(_ columns: [EventFormat.Described], lines: LineScanner, tree: PathTree) {
    self.lines = lines
    prefixes = Array(Set(columns.map(\.prefix)))
    for child in tree.nodes.first?.children ?? [] where child.node >= 0 && child.name.last != 0 {
      let item = ListItem(String(decoding: child.name, as: UTF8.self))
      guard prefixes.contains(where: { item.list.hasPrefix($0 + "_") }) else { continue }
      wanted[Array(item.list.utf8), default: []].append(
        Wanted(number: item.number, node: child.node))
    }
    if wanted.isEmpty { return nil }
    let paths = [["schema"], ["data"]]
    let plan = ScanPlan(
      fields: paths.map { FieldRule(path: $0, role: .session) }, tables: [], slotTables: [],
      eventSlot: 0)
    memories = [ScanMemory(plan: plan, key: .fixed), ScanMemory(plan: plan, key: .fixed)]
    let found = memories[0].leaves(of: paths)
    leaves = (found[0], found[1])
  }

  /// Whether anything is wanted of data in a column with this prefix.
  func wants(_ prefix: String) -> Bool {
    wanted.keys.contains { $0.starts(with: prefix.utf8) }
  }

  /// Forgets the items of the last line.
  func beginLine() { counts.removeAll(keepingCapacity: true) }

  /// Reads a column's object. What is no such data is passed over.
  func read(_ start: Address, prefix: String) {
    let outer = memories[0].scanner.lines
    guard unsafe start.pointee == UInt8(ascii: "{"),
      unsafe outer.scanObject(start, node: 0, depth: 2) != nil,
      unsafe outer.kinds[leaves.data] == ValueKind.container
    else { return }
    var p = unsafe outer.starts[leaves.data]
    if unsafe p.pointee == UInt8(ascii: "{") { return unsafe take(p, prefix) }
    repeat {
      unsafe p = lines.lexer.skipSpace(p + 1)
      if unsafe p.pointee == UInt8(ascii: "{") { unsafe take(p, prefix) }
      if unsafe p.pointee == UInt8(ascii: "]") { return }
      guard let next = unsafe lines.lexer.valueEnd(p, depth: 3) else { return }
      unsafe p = lines.lexer.skipSpace(next)
    } while unsafe p.pointee == UInt8(ascii: ",")
  }

  private func take(_ start: Address, _ prefix: String) {
    let item = memories[1].scanner.lines
    guard unsafe item.scanObject(start, node: 0, depth: 3) != nil,
      unsafe item.kinds[leaves.data] == ValueKind.container, let member = member(item, prefix)
    else { return }
    let number = counts[member, default: 0]
    counts[member] = number + 1
    let data = unsafe item.starts[leaves.data]
    guard unsafe data.pointee == UInt8(ascii: "{") else { return }
    for one in wanted[member] ?? [] where one.number == number {
      _ = unsafe lines.scanObject(data, node: one.node, depth: 4)
    }
  }

  /// What the item is called, if anything of it is wanted.
  private func member(_ item: LineScanner, _ prefix: String) -> [UInt8]? {
    guard let uri = text(item) else { return nil }
    if let known = members[prefix]?[uri] { return known }
    let name = SchemaName.member(prefix, uri).flatMap { wanted[$0] == nil ? nil : $0 }
    if members[prefix, default: [:]].count < Self.maximumSchemas {
      members[prefix, default: [:]][uri] = .some(name)
    }
    return name
  }

  private func text(_ item: LineScanner) -> [UInt8]? {
    let (start, end) = unsafe (item.starts[leaves.schema], item.ends[leaves.schema])
    switch unsafe item.kinds[leaves.schema] {
    case ValueKind.string:
      return unsafe Array(UnsafeBufferPointer(start: start, count: end - start))
    case ValueKind.escapedString:
      return unsafe Array(unsafeUninitializedCapacity: end - start) { buffer, count in
        if let base = buffer.baseAddress {
          count = unsafe JSONText.unescape(start, end, into: base)
        }
      }
    default: return nil
    }
  }
}
