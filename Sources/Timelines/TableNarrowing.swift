internal import EventInput

/// Makes the tables that some of a run's flows would have had alone.
///
/// A bounded table keeps the names with the smallest hashes besides the declared ones. What another
/// flow declares is to these flows a name like others: of it and of the names that the run kept,
/// those with the smallest hashes are kept, and no name that the run dropped can be among them.
struct TableNarrowing {
  private let whole: FactTables
  private(set) var tables: FactTables
  private(set) var codes = CodeMap()

  /// A value's place in the run's tuples, and how its codes read.
  private struct Source {
    var place: Int
    var table: Int
    var codes: [UInt32]
  }

  /// - Parameter keepsUnused: whether names that are not declared take part though no fact has
  ///   them.
  init(_ whole: FactTables, to schema: FactSchema, keepsUnused: Bool) {
    self.whole = whole
    let actions = (0..<schema.actionWidth).map { schema.actionPlace($0, in: whole.schema) }
    let contexts = (0..<schema.contextWidth).map { schema.contextPlace($0, in: whole.schema) }
    let used = TableNarrowing.usedCodes(whole)
    var names = schema.plan.tables.map { NameTable(plan: $0) }
    var maps: [Int: [UInt32]] = [:]
    func source(_ place: Int?, _ own: Int, _ theirs: (Int) -> Int) -> Source? {
      guard let place else { return nil }
      let table = theirs(place)
      let known = maps[own * whole.names.count + table]
      let codes =
        known
        ?? TableNarrowing.map(
          whole.names[table], used[table], keepsUnused: keepsUnused, into: &names[own])
      maps[own * whole.names.count + table] = codes
      return Source(place: place, table: own, codes: codes)
    }
    let actionSources = actions.enumerated().map { index, place in
      source(place, schema.table(ofActionIndex: index)) { whole.schema.table(ofActionIndex: $0) }
    }
    let contextSources = contexts.enumerated().map { index, place in
      source(place, schema.table(ofContextIndex: index)) { whole.schema.table(ofContextIndex: $0) }
    }
    tables = FactTables(schema: schema, names: names)
    for code in 0..<whole.actionCount {
      let values = TableNarrowing.values(whole.action(code), actionSources, names)
      codes.actions.append(tables.addAction(values))
    }
    for code in 0..<whole.contextCount {
      let values = TableNarrowing.values(whole.context(code), contextSources, names)
      codes.contexts.append(tables.addContext(values))
    }
  }

  /// For each table the codes that any action or context has.
  private static func usedCodes(_ whole: FactTables) -> [Set<UInt32>] {
    var used = [Set<UInt32>](repeating: [], count: whole.names.count)
    for code in 0..<whole.actionCount {
      for (place, value) in whole.action(code).enumerated() where value != 0 {
        used[whole.schema.table(ofActionIndex: place)].insert(value)
      }
    }
    for code in 0..<whole.contextCount {
      for (place, value) in whole.context(code).enumerated() where value != 0 {
        used[whole.schema.table(ofContextIndex: place)].insert(value)
      }
    }
    return used
  }

  /// How the codes of a table of the run read in the flows' own table, which takes the names in.
  private static func map(
    _ names: NameTable, _ used: Set<UInt32>, keepsUnused: Bool, into own: inout NameTable
  ) -> [UInt32] {
    var codes: [UInt32] = [0]
    for code in names.codes {
      // A declared name stands in the table whether any event has it or not.
      let isSeen = keepsUnused && code > names.plan.declared.count || used.contains(code)
      if names.isOther(code) {
        codes.append(names.canonical(code))
      } else {
        codes.append(isSeen ? own.code(of: names.name(of: code)) : 0)
      }
    }
    return codes
  }

  private static func values(
    _ tuple: ArraySlice<UInt32>, _ sources: [Source?], _ names: [NameTable]
  ) -> [UInt32] {
    sources.map { source in
      guard let source else { return 0 }
      let code = tuple[tuple.startIndex + source.place]
      // Codes of names without a place hold no index.
      let own = Int(code) < source.codes.count ? source.codes[Int(code)] : code
      return own == 0 ? 0 : names[source.table].canonical(own)
    }
  }
}
