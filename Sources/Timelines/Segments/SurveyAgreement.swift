internal import EventInput
internal import FlowDefinition

/// What runs over the events of different people agree upon, so that the tallies of all add up:
/// names that have a place, and dates.
///
/// Every party surveys its own events, all exchange their surveys, and each counts its own people
/// with the names and dates of all.
public struct SurveyAgreement: Sendable {
  /// A run whose people are counted besides others'.
  public struct Party: Codable, Sendable, Hashable {
    /// The name of its survey: a checksum.
    public var survey: String
    /// Among how many partitions the run's people are divided.
    public var partitionCount: Int
    /// How many inputs the run has read.
    public var inputs: Int
    /// The name of its first input.
    public var firstInput: String?

    /// What people call it by.
    public var words: String {
      guard let firstInput else { return "a run without inputs" }
      let others = inputs == 1 ? "" : inputs == 2 ? " and another input" : " and \(inputs - 1) more"
      return "the run over '\(InputPath.shown(firstInput))'\(others)"
    }
  }

  /// The survey of this run, with the names and dates of all parties.
  public private(set) var survey: PartitionSurvey
  /// This run.
  public let own: Party
  /// All runs, this one too, in the order of their surveys' names.
  public let parties: [Party]

  /// Parties whose data end more than two days before those of all together: in words, for a person
  /// to judge, since a region may be closed on some days or its newest files may be missing.
  public private(set) var earlyEnds: [String] = []

  /// - Parameters:
  ///   - own: of all partitions of this run.
  ///   - others: what other parties sent, with the files' paths. A copy of `own` is passed over.
  /// - Throws: `SegmentError` where numbers of the runs would not add up.
  public init(
    _ own: PartitionSurvey, with others: [(path: String, survey: PartitionSurvey)]
  ) throws {
    try own.requireComplete()
    survey = own
    self.own = try own.party()
    var known: [(name: String, party: Party, survey: PartitionSurvey)] = [
      ("the survey of this run", self.own, own)
    ]
    for (path, other) in others {
      let name = "'\(InputPath.shown(path))'"
      try SurveyAgreement.require(other, name, fits: own)
      let party = try other.party()
      if party == self.own { continue }
      for (earlier, sameParty, survey) in known {
        if party.survey == sameParty.survey {
          throw SegmentError.twice(
            "\(name) is the same survey as \(earlier): its people would count twice. Name each "
              + "party's survey once.")
        }
        try SurveyAgreement.requireDisjoint((name, other), (earlier, survey))
      }
      known.append((name, party, other))
      survey.takeNamesAndDates(of: other)
    }
    survey.order()
    parties = known.map(\.party).sorted { $0.survey < $1.survey }
    earlyEnds = earlyEnds(of: known.map { ($0.name, $0.survey) })
  }

  private func earlyEnds(of parties: [(name: String, survey: PartitionSurvey)]) -> [String] {
    guard let last = DataSpan(survey.census)?.horizonMilliseconds else { return [] }
    return parties.compactMap { name, survey in
      guard let end = DataSpan(survey.census)?.horizonMilliseconds,
        end < last - 2 * DayCensus.dayMilliseconds
      else { return nil }
      return "the data of \(name) end at \(UTCInstant.text(end)), those of all parties at "
        + "\(UTCInstant.text(last)); if data are missing there, choose an --as-of before: people "
        + "count as gone since"
    }
  }

  private static func require(
    _ other: PartitionSurvey, _ name: String, fits own: PartitionSurvey
  ) throws(SegmentError) {
    guard other.isComplete else {
      throw .missing(
        "\(name) knows \(other.partitions.count) of the \(other.partitionCount) partitions of its "
          + "run: ask for what `firstmile survey --merge` writes of all")
    }
    guard other.names.count == own.names.count || other.fingerprint != own.fingerprint else {
      throw .differing(
        "\(name) has names for \(other.names.count) tables, and its flow for "
          + "\(own.names.count): ask for it once more")
    }
    guard other.fingerprint == own.fingerprint else {
      throw .differing(
        "\(name) was made for the flow '\(other.flow)' as it reads there (\(other.fingerprint)), "
          + "not as it reads here (\(own.fingerprint)): agree on one flow file, and run "
          + "`firstmile survey` with it")
    }
    guard other.key == own.key else {
      throw .differing(
        "the ids of \(name) are hashed with another key (\(other.key)) than those of this run "
          + "(\(own.key)), so nothing would show that nobody is in both: give one secret file to "
          + "`firstmile partition --key-file` everywhere")
    }
    guard other.sketch != nil, own.sketch != nil else {
      throw .differing(
        "the ids of this run and of \(name) are hashed with the key that everybody knows: with "
          + "others only counts under a common secret add up. Give one file of 16 random bytes to "
          + "`firstmile partition --key-file` everywhere.")
    }
    guard other.rule == own.rule else {
      throw .differing(
        "\(name) was made \(other.rule.words), the survey of this run \(own.rule.words): agree on "
          + "one --as-of, and give it to `firstmile stitch`, `survey` and `tally` everywhere")
    }
  }

  private static func requireDisjoint(
    _ one: (name: String, survey: PartitionSurvey), _ other: (name: String, survey: PartitionSurvey)
  ) throws(SegmentError) {
    guard let sketch = one.survey.sketch, let otherSketch = other.survey.sketch else { return }
    let (found, estimate) = sketch.common(with: otherSketch)
    if found == 0 { return }
    let ids =
      switch one.survey.rule.identity {
      case "user": found == 1 ? "user" : "users"
      case "device": found == 1 ? "device" : "devices"
      default: found == 1 ? "user or device" : "users or devices"
      }
    throw .twice(
      "at least \(found) \(ids) of \(one.name) \(found == 1 ? "is" : "are") in \(other.name) as "
        + "well" + (estimate > found ? " (by the sample some \(estimate))" : "")
        + ", and would count twice: count them in one run, or divide the inputs so that each "
        + "person's events are in one. If both are of one party, name the newer one only.")
  }
}

extension StitchingRule {
  /// The part of it that a run chooses.
  fileprivate var words: String {
    guard let asOfMilliseconds else { return "without --as-of" }
    return "with an --as-of that ends at \(UTCInstant.text(asOfMilliseconds))"
  }
}

extension PartitionSurvey {
  fileprivate func party() throws -> SurveyAgreement.Party {
    let bytes = try OrderedJSON.bytes(self)
    let digits = String(StoredBytes.checksum(of: bytes), radix: 16)
    return SurveyAgreement.Party(
      survey: String(repeating: "0", count: 16 - digits.count) + digits,
      partitionCount: partitionCount, inputs: tasks.count,
      firstInput: tasks.map(\.source.name).min { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  fileprivate mutating func takeNamesAndDates(of other: PartitionSurvey) {
    var census = census
    census.add(other.census)
    days = PartitionSurvey.days(census)
    names = zip(names, other.names).map { $0 + $1 }
  }
}
