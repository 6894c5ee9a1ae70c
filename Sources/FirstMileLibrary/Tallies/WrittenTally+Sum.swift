internal import EventInput
package import FlowDefinition
package import FunnelEngine
internal import ReportText
internal import Timelines

// Tallies that belong together add up: those of one run, and of runs that were counted with each
// other's surveys.
extension WrittenTally {
  /// Whose people a tally counts: partitions are numbered by run.
  private struct Part: Hashable {
    var survey: String
    var partition: Int
  }

  /// Adds tallies up.
  ///
  /// - Throws: `SegmentError` where they don't belong together, or not all partitions are there.
  package static func sum(
    _ tallies: [(path: String, tally: WrittenTally)], flow: Flow
  ) throws -> (written: WrittenTally, tally: Tally) {
    guard let first = tallies.first else {
      throw SegmentError.missing("no tally: name what `firstmile tally` wrote")
    }
    var sum = first.tally
    var tally: Tally?
    var paths: [Part: String] = [:]
    // The first tally of each run.
    var runs = [first.tally.run.survey: first]
    for (path, one) in tallies {
      try one.require(flow, path, like: first.tally.run, first.path)
      let survey = one.run.survey
      if let known = runs.updateValue(runs[survey] ?? (path, one), forKey: survey) {
        try one.require(path, ofRun: known.tally.run, known.path)
      } else {
        sum.run.counts.add(one.run.counts)
        sum.run.add(one.run.findings)
      }
      for partition in one.partitions {
        let part = Part(survey: survey, partition: partition)
        if let other = paths.updateValue(path, forKey: part) {
          throw SegmentError.twice(
            "partition \(partition) is in '\(other)' and again in '\(path)': its people would "
              + "count twice")
        }
      }
      let own: Tally
      do { own = try Tally(one.tally, flow: flow) } catch {
        throw SegmentError.differing("'\(path)' does not fit the flow '\(flow.id)'")
      }
      if tally == nil { tally = own } else { tally?.merge(own) }
      if path != first.path {
        sum.sources += one.sources
        sum.counts.add(one.counts)
        sum.partitions += one.partitions
      }
    }
    for party in sum.run.parties {
      let missing = (0..<party.partitionCount).filter {
        paths[Part(survey: party.survey, partition: $0)] == nil
      }
      try requireAll(of: party, missing, isOnly: sum.run.parties.count == 1)
    }
    guard let tally else { throw SegmentError.missing("no tally") }
    sum.sources.sort()
    return (sum, tally)
  }

  private static func requireAll(
    of party: SurveyAgreement.Party, _ missing: [Int], isOnly: Bool
  ) throws(SegmentError) {
    if missing.isEmpty { return }
    if missing.count == party.partitionCount {
      throw .missing(
        "the tallies of \(party.words) are missing: those here were counted with its survey. Name "
          + "them too, or count without it.")
    }
    let shown = missing.prefix(8).map(String.init).joined(separator: ", ")
    throw .missing(
      "the tallies of \(missing.count) of \(party.partitionCount) partitions"
        + (isOnly ? "" : " of \(party.words)") + " are missing: " + shown
        + (missing.count > 8 ? " …" : "") + ". Run `firstmile tally` for each.")
  }

  private func require(
    _ flow: Flow, _ path: String, like other: Run, _ otherPath: String
  ) throws(SegmentError) {
    guard run.fingerprint == flow.fingerprint else {
      throw .differing(
        "'\(path)' was counted for the flow '\(run.flow)' as it read then (\(run.fingerprint)), "
          + "not for '\(flow.id)' (\(flow.fingerprint)): run `firstmile tally` again with this "
          + "flow, from `firstmile survey` on")
    }
    guard let difference = run.difference(from: other) else { return }
    throw .differing("'\(path)' and '\(otherPath)' are of two runs: \(difference)")
  }

  private func require(
    _ path: String, ofRun other: Run, _ otherPath: String
  ) throws(SegmentError) {
    if run == other { return }
    throw .differing(
      "'\(path)' and '\(otherPath)' are of one run and disagree on what stitching and aliases came "
        + "to: count all of its partitions again with the same segments")
  }
}

extension WrittenTally.Run {
  /// Adds what was found in another party's events: each looks at a sample of its own.
  fileprivate mutating func add(_ more: SampleFindings?) {
    guard let more else { return }
    if findings == nil { findings = more } else { findings?.add(more) }
  }

  /// Whether the parties are those of a run, this one among them.
  var hasSoundParties: Bool {
    Set(parties.map(\.survey)).count == parties.count
      && parties.allSatisfy {
        1...PortableSegment.maximumPartitions ~= $0.partitionCount
          && WrittenNumbers.areSound([$0.inputs])
      } && parties.contains { $0.survey == survey && $0.partitionCount == partitionCount }
  }

  /// In what tallies of this run and of another differ that must agree before they add up, and what
  /// can be done; `nil` if they do.
  fileprivate func difference(from other: Self) -> String? {
    if programVersion != other.programVersion {
      return "they were counted by version \(programVersion) of this program and by "
        + "\(other.programVersion). Count all with one version."
    }
    if parties != other.parties {
      return parties.count == 1 && other.parties.count == 1
        ? "they were counted from other surveys. Count the partitions of one run with the same "
          + "surveys; runs over the events of different people add up if each is counted with the "
          + "surveys of the others (`firstmile tally --with`)."
        : "they were counted with other surveys, of \(parties.count) and "
          + "\(other.parties.count) parties. Count all with the surveys of all (`firstmile tally "
          + "--with`), from the newest on."
    }
    let chosen = Set(options.keys).union(other.options.keys).sorted()
      .filter { options[$0] != other.options[$0] }
      .map { "\($0) \(options[$0] ?? "not given") and \(other.options[$0] ?? "not given")" }
    if !chosen.isEmpty {
      return "they chose other options (\(chosen.joined(separator: "; "))). Give all "
        + "`firstmile tally` the same."
    }
    if horizonMilliseconds != other.horizonMilliseconds {
      return "their data end at \(InstantText.format(horizonMilliseconds)) and at "
        + "\(InstantText.format(other.horizonMilliseconds)). Give all of them one --as-of."
    }
    var own = self
    own.survey = other.survey
    own.partitionCount = other.partitionCount
    own.counts = other.counts
    own.findings = other.findings
    return own == other
      ? nil
      : "they take people as known from other moments on, or found another last day. Count all "
        + "with the same surveys and options."
  }
}

extension WrittenTally.Source: Comparable {
  /// By name; inputs of two parties may have one name.
  package static func < (left: Self, right: Self) -> Bool {
    let (one, other) = (left.name.utf8, right.name.utf8)
    if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    return (left.digest ?? "") < (right.digest ?? "")
  }
}
