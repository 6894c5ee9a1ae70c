internal import EventInput

/// Events that are sent without a person doing anything, by what gives them away.
struct SentEvents {
  /// Called like what a server sends, and mostly alone.
  let byServer: [String]
  /// What SDKs send by themselves, or what comes at equal distances as a clock's does.
  let byMachine: [String]

  var all: Set<String> { Set(byServer).union(byMachine) }

  /// - Parameters:
  ///   - counts: events by name.
  ///   - isMachine: whether an event is a machine's, by its name or its rhythm.
  ///   - shown: events that are part of the onboarding, whatever sends them.
  init(
    _ timelines: SampledTimelines, _ counts: [String: Int], isMachine: (String) -> Bool,
    without shown: Set<String>
  ) {
    let machine = counts.keys.filter {
      isMachine($0) && !shown.contains($0) && FlowDraft.isName($0)
    }
    let server = ActivitySearch.sentByServer(timelines).filter { !machine.contains($0) }
    let openings = ActivitySearch.openings(
      timelines, without: shown.union(server).union(machine))
    byServer = server
    byMachine = (machine + openings).sorted()
  }
}
