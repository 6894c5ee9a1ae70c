package import EventInput
package import FlowDefinition
internal import Timelines

extension StoreSnapshot {
  /// The figures of all sources as a reading for flows with this identity would give them, in the
  /// order of their names. Damaged files that came again whole are left out.
  package func summaries(_ identity: IdentityRule) -> [SourceSummary] {
    let counting = sources.filter { $0.replacedBy == nil }.sorted {
      $0.summary.name != $1.summary.name
        ? $0.summary.name.utf8.lexicographicallyPrecedes($1.summary.name.utf8) : $0.id < $1.id
    }
    return counting.map { source in
      var summary = source.summary
      summary.require(
        identity, eventsWithoutUser: source.eventsWithoutUser,
        eventsWithoutDevice: source.eventsWithoutDevice)
      return summary
    }
  }
}
