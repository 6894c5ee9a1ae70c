internal import EventInput

extension FactSchema {
  /// As it reads events where later facts are set aside. What they alone are called is known before
  /// their time is, and must not take the places of other names; so many names are kept while facts
  /// are read, and ``Timelines/narrowed(to:keepsUnused:)`` then has those of the facts that count.
  var keepingMoreNames: FactSchema {
    var schema = self
    for table in schema.plan.tables.indices {
      schema.plan.tables[table].limit = max(
        FactSchema.mostNames, schema.plan.tables[table].limit)
    }
    return schema
  }

  /// Memory has a bound all the same: some 10 MB a table, where each event has a name of its own.
  private static let mostNames = 1 << 16
}
