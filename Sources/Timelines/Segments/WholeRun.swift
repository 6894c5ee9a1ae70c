internal import EventInput

/// What must be known of all facts of a run before a part of them can be counted: which names have
/// a place in the bounded tables, and how many people there are on each date.
struct WholeRun: Sendable {
  /// In the order of the schema's tables.
  var names: [NameTable]
  var census: DayCensus
}
