public import EventInput
public import FlowDefinition

extension StoreSnapshot {
  /// The figures of all sources as a reading for flows with this identity would give them, in the
  /// order of their names. Damaged files that came again whole are left out.
  public func summaries(_ identity: IdentityRule) -> [SourceSummary] {
    let counting = sources.filter { $0.replacedBy == nil }.sorted {
      $0.summary.name != $1.summary.name
        ? $0.summary.name.utf8.lexicographicallyPrecedes($1.summary.name.utf8) : $0.id < $1.id
    }
    return counting.map { source in
      var summary = source.summary
      let (lacking, reason): (Int, RejectReason)
      switch identity {
      case .stitched: return summary
      case .user: (lacking, reason) = (source.eventsWithoutUser, .missingUserID)
      case .device: (lacking, reason) = (source.eventsWithoutDevice, .missingDeviceID)
      }
      // The store takes an event with either id; for these flows one of them is needed.
      summary.events -= lacking
      let without = lacking + (summary.rejectsByReason.removeValue(forKey: .missingID) ?? 0)
      if without > 0 { summary.rejectsByReason[reason] = without }
      return summary
    }
  }
}
