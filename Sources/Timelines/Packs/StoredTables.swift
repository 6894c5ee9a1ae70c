internal import EventInput

/// What the codes in the facts of one pack mean.
///
/// A value's code is 0 for missing, n for the n-th name of its column, or from
/// `NameTable.otherFlag` on for a name that found no place.
public struct StoredTables: Sendable, Equatable {
  /// For each column of the layout its names; the first has the code 1.
  public internal(set) var names: [[String]]
  let actionWidth: Int
  let contextWidth: Int
  /// Tuples of the columns of actions and of contexts, one behind the other.
  var actions: [UInt32] = []
  var contexts: [UInt32] = []

  init(_ layout: StoredLayout) {
    names = layout.columns.map { _ in [] }
    actionWidth = layout.columns(of: .action).count
    contextWidth = layout.columns(of: .context).count
  }

  /// How many different actions the pack's facts have.
  public var actionCount: Int { actionWidth == 0 ? 0 : actions.count / actionWidth }
  /// How many different contexts the pack's facts have.
  public var contextCount: Int { contextWidth == 0 ? 0 : contexts.count / contextWidth }

  /// The name of a code; `nil` for missing, and for a name that found no place.
  func name(_ code: UInt32, column: Int) -> String? {
    code > 0 && Int(code) <= names[column].count ? names[column][Int(code) - 1] : nil
  }

  /// Divides tables into groups, each of neighbours, that certainly find place in one table.
  ///
  /// A table has 2²² actions and 2²⁴ contexts at most (`Fact`); what finds no place there has none.
  /// - Returns: their places, in order.
  public static func groupsWithPlace(_ tables: [StoredTables]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var (start, actions, contexts) = (0, 0, 0)
    for (place, one) in tables.enumerated() {
      // The first code is that of no values; each table has it.
      actions += max(1, one.actionCount) - 1
      contexts += max(1, one.contextCount) - 1
      if place > start && (actions >= Fact.maximumActions || contexts >= Fact.maximumContexts) {
        groups.append(start..<place)
        (start, actions, contexts) = (
          place, max(1, one.actionCount) - 1, max(1, one.contextCount) - 1
        )
      }
    }
    if start < tables.count { groups.append(start..<tables.count) }
    return groups
  }

  static func isOther(_ code: UInt32) -> Bool { code >= NameTable.otherFlag }
}

/// Gives tuples of names their codes in a pack's tables, each when it is first seen.
struct StoredTablesBuilder {
  private(set) var tables: StoredTables
  private let actionColumns: [Int]
  private let contextColumns: [Int]
  private var codesByName: [[String: UInt32]]
  private var actionTuples: TupleTable
  private var contextTuples: TupleTable

  init(_ layout: StoredLayout) {
    tables = StoredTables(layout)
    actionColumns = layout.columns(of: .action)
    contextColumns = layout.columns(of: .context)
    codesByName = layout.columns.map { _ in [:] }
    actionTuples = .ofActions(width: actionColumns.count)
    contextTuples = .ofContexts(width: contextColumns.count)
  }

  func finish() -> StoredTables {
    var tables = tables
    tables.actions = actionTuples.values
    tables.contexts = contextTuples.values
    return tables
  }

  /// The code of an action given as codes that `name` explains; `nil` from it is a name without a
  /// place, whose code stays as it is.
  mutating func code(
    ofAction values: ArraySlice<UInt32>, _ name: (UInt32, _ column: Int) -> String?
  ) -> UInt32 {
    let tuple = translate(values, actionColumns, name)
    return unsafe tuple.withUnsafeBufferPointer { unsafe actionTuples.code(of: $0) }
  }

  mutating func code(
    ofContext values: ArraySlice<UInt32>, _ name: (UInt32, _ column: Int) -> String?
  ) -> UInt32 {
    let tuple = translate(values, contextColumns, name)
    return unsafe tuple.withUnsafeBufferPointer { unsafe contextTuples.code(of: $0) }
  }

  private mutating func translate(
    _ values: ArraySlice<UInt32>, _ columns: [Int], _ name: (UInt32, Int) -> String?
  ) -> [UInt32] {
    zip(values, columns).map { value, column in
      if value == 0 || StoredTables.isOther(value) { return value }
      guard let name = name(value, column) else { return NameTable.other }
      if let code = codesByName[column][name] { return code }
      tables.names[column].append(name)
      let code = UInt32(truncatingIfNeeded: tables.names[column].count)
      codesByName[column][name] = code
      return code
    }
  }
}
