internal import EventInput

/// Facts on their way to their persons, as one worker of a pass brings them there.
struct StitchedFacts {
  private let stitching: Stitching
  private var target: PassLog
  var share = StitchedShare()

  init(_ stitching: Stitching) {
    self.stitching = stitching
    target = PassLog("stitched.facts", stitching.budget)
  }

  /// Gives a fact to a user, or leaves it with its device.
  ///
  /// - Parameter fact: with the codes of the run.
  @inline(__always)
  mutating func give(
    _ fact: Fact, of device: IdentifierHash, to owner: IdentifierHash, isWatched: Bool
  ) {
    if owner != device { share.stitchedFacts += 1 }
    let person = stitching.united.person(of: owner)
    if isWatched { share.watchedPersons.insert(person) }
    target.log.append(fact, key: person, device: nil, to: FactCollector.partition(of: person))
  }

  /// Gives the facts of one list to the persons that their users are.
  mutating func unite(_ source: FactSource, partition: Int) throws(SpillError) {
    let (united, log) = (stitching.united, target.log)
    try source.log.read(partition).forEach(remembering: RecordBase()) { base, record in
      base.take(record)
      let person = united.person(of: base.key)
      log.append(
        source.codes(base.fact(record)), key: person, device: nil,
        to: FactCollector.partition(of: person))
    }
    try giveUp(source.log, partition)
  }

  /// Gives up a list whose facts were all given away.
  mutating func giveUp(_ log: FactLog, _ partition: Int) throws(SpillError) {
    log.giveUp(partition, to: target.log)
    try target.keepWithinBudget()
  }

  mutating func finish() throws(SpillError) -> StitchedShare {
    share.logs = [try target.finish()]
    return share
  }
}
