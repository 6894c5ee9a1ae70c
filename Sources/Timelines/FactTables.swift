public import EventInput

/// What the codes in facts mean: names, actions and contexts of a whole run.
public struct FactTables: Sendable {
  /// Which values actions and contexts have, in which order.
  public let schema: FactSchema
  /// The run's name tables, in the order of the schema's plan.
  public let names: [NameTable]
  private(set) var actions: TupleTable
  private(set) var contexts: TupleTable

  init(schema: FactSchema, names: [NameTable]) {
    self.schema = schema
    self.names = names
    actions = .ofActions(width: schema.actionWidth)
    contexts = .ofContexts(width: schema.contextWidth)
  }

  /// How many codes of actions there are, from 0 on.
  public var actionCount: Int { actions.count }
  /// How many codes of contexts there are, from 0 on.
  public var contextCount: Int { contexts.count }

  /// The values of an action, in the order of `FactSchema.actionIndex`.
  public func action(_ code: Int) -> ArraySlice<UInt32> {
    actions.tuple(UInt32(truncatingIfNeeded: code))
  }

  /// One value of an action.
  public func actionValue(_ code: Int, at index: Int) -> UInt32 {
    actions.value(code, at: index)
  }

  /// One value of a context.
  public func contextValue(_ code: Int, at index: Int) -> UInt32 {
    contexts.value(code, at: index)
  }

  /// The values of a context: flow, version, variants, dimensions.
  public func context(_ code: Int) -> ArraySlice<UInt32> {
    contexts.tuple(UInt32(truncatingIfNeeded: code))
  }

  /// The name of an action's value.
  public func name(ofActionValue code: UInt32, at index: Int) -> String {
    names[schema.table(ofActionIndex: index)].name(of: code)
  }

  /// Whether an action's value is a name without a place.
  public func isOther(actionValue code: UInt32, at index: Int) -> Bool {
    names[schema.table(ofActionIndex: index)].isOther(code)
  }

  /// The name of a context's value.
  public func name(ofContextValue code: UInt32, at index: Int) -> String {
    names[schema.table(ofContextIndex: index)].name(of: code)
  }

  /// The code of a name that flows declare for a context's value.
  public func code(ofContextName name: String, at index: Int) -> UInt32? {
    code(of: name, in: schema.table(ofContextIndex: index))
  }

  /// The code of a name that flows declare for an action's value.
  public func code(ofActionName name: String, at index: Int) -> UInt32? {
    code(of: name, in: schema.table(ofActionIndex: index))
  }

  private func code(of name: String, in table: Int) -> UInt32? {
    names[table].plan.declared.firstIndex(of: name).map { UInt32(truncatingIfNeeded: $0 + 1) }
  }

  /// One code for names that have none of their own: nothing distinguishes them, or what is
  /// left of their hash does.
  public func canonicalCode(ofActionValue code: UInt32, at index: Int) -> UInt32 {
    names[schema.table(ofActionIndex: index)].canonical(code)
  }

  /// As above, for a context's value.
  public func canonicalCode(ofContextValue code: UInt32, at index: Int) -> UInt32 {
    names[schema.table(ofContextIndex: index)].canonical(code)
  }

  /// Takes another worker's tuples in; the result maps that worker's codes to codes here.
  mutating func unite(actions other: TupleTable, through maps: [NameCodeMap]) -> [UInt32] {
    let tables = (0..<schema.actionWidth).map { schema.table(ofActionIndex: $0) }
    return FactTables.unite(other, into: &actions, tables: tables, names: names, maps)
  }

  mutating func unite(contexts other: TupleTable, through maps: [NameCodeMap]) -> [UInt32] {
    let tables = (0..<schema.contextWidth).map { schema.table(ofContextIndex: $0) }
    return FactTables.unite(other, into: &contexts, tables: tables, names: names, maps)
  }

  /// The code of an action with these values.
  mutating func addAction(_ values: [UInt32]) -> UInt32 {
    unsafe values.withUnsafeBufferPointer { unsafe actions.code(of: $0) }
  }

  /// The code of a context with these values.
  mutating func addContext(_ values: [UInt32]) -> UInt32 {
    unsafe values.withUnsafeBufferPointer { unsafe contexts.code(of: $0) }
  }

  private static func unite(
    _ other: TupleTable, into own: inout TupleTable, tables: [Int], names: [NameTable],
    _ maps: [NameCodeMap]
  ) -> [UInt32] {
    var translation: [UInt32] = []
    translation.reserveCapacity(other.count)
    var tuple = [UInt32](repeating: 0, count: other.width)
    for code in 0..<other.count {
      let values = other.tuple(UInt32(truncatingIfNeeded: code))
      for (place, value) in values.enumerated() {
        let table = tables[place]
        tuple[place] = value == 0 ? 0 : names[table].canonical(maps[table][code: value])
      }
      unsafe translation.append(tuple.withUnsafeBufferPointer { unsafe own.code(of: $0) })
    }
    return translation
  }
}
