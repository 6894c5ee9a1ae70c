public import FlowDefinition

/// Whether facts have to move before they are with their people.
public enum StitchingNeed {
  /// Whether that is so of what tasks read.
  ///
  /// - Parameter identity: of the flow.
  static func isThere(_ identity: IdentityRule, in tasks: [TaskHeader]) -> Bool {
    switch identity {
    case .stitched: tasks.contains { $0.links > 0 || $0.sightings?.contains { $0 > 0 } == true }
    case .device: tasks.contains { $0.source.eventsWithoutUser < $0.source.events }
    case .user: false
    }
  }

  /// Whether that is so of the tasks whose segments are in files.
  ///
  /// - Throws: `SegmentError` where a file is no file of segments, or none of a task is there.
  public static func isThere(_ identity: IdentityRule, in paths: [String]) throws -> Bool {
    var tasks: [TaskHeader] = []
    for path in paths {
      try SegmentFiles.forEach(in: path, where: { $0.kind == .task }) { segment in
        guard let head = OrderedJSON.value(TaskHeader.self, segment.header),
          head.isSound(of: segment.partitionCount)
        else { throw SegmentError.damaged(path, 0) }
        tasks.append(head)
      }
    }
    guard !tasks.isEmpty else {
      throw SegmentError.missing(
        "no task's segment is in what was named: name the files that `firstmile partition` wrote")
    }
    return isThere(identity, in: tasks)
  }
}
