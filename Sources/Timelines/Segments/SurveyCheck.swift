internal import FlowDefinition

/// Compares what tasks wrote with what partitions received, when all partitions are together.
struct SurveyCheck {
  private let survey: PartitionSurvey

  init(_ survey: PartitionSurvey) { self.survey = survey }

  /// - Throws: `SegmentError` with the first thing that is missing, or there twice.
  func run() throws(SegmentError) {
    try checkTasks()
    try checkFacts()
    try checkSamples()
    try checkHeads()
    try checkStitching()
  }

  private func checkTasks() throws(SegmentError) {
    var names: Set<String> = []
    for task in survey.tasks where !names.insert(task.origin.task).inserted {
      throw .twice(
        "the task '\(task.origin.task)' is there twice: '\(task.source.name)' would count twice")
    }
  }

  private func checkFacts() throws(SegmentError) {
    let known = Set(survey.tasks.map(\.origin.task))
    for (partition, received) in survey.received.sorted(by: { $0.key < $1.key }) {
      for task in received.facts.keys.sorted() where !known.contains(task) {
        throw .missing(
          "partition \(partition) has facts of the task '\(task)', whose own segment is missing: "
            + "name all that the task wrote")
      }
      for task in survey.tasks {
        let (found, expected) = (received.facts[task.origin.task] ?? 0, task.facts[partition])
        if found != expected {
          throw .missing(
            "partition \(partition) has \(found) facts of '\(task.source.name)', which gave it "
              + "\(expected): the segments of the task '\(task.origin.task)' are not all there")
        }
      }
    }
  }

  private func checkSamples() throws(SegmentError) {
    for task in survey.tasks {
      let partition = task.partition(of: survey.partitionCount)
      let found = survey.received[partition]?.samples[task.origin.task] ?? 0
      if found != task.sampled ?? 0 {
        throw .missing(
          "partition \(partition) has \(found) of the \(task.sampled ?? 0) events that the task "
            + "'\(task.origin.task)' sampled: name all that the task wrote")
      }
    }
  }

  /// Every step must have known what every task read, and every user's aliases.
  private func checkHeads() throws(SegmentError) {
    let steps =
      survey.received.sorted { $0.key < $1.key }.map { ("surveyed", $0.key, $0.value.heads) }
      + survey.stitching.map { ("stitched", $0.partition, $0.heads) }
    for (step, partition, heads) in steps
    where heads != survey.heads || heads.tasks != survey.tasks.count {
      let command = step == "stitched" ? "stitch" : "survey"
      let what =
        heads.tasks == survey.tasks.count
        ? "other content of these inputs"
        : "\(heads.tasks) inputs, and the segments are of \(survey.tasks.count)"
      throw .differing(
        "partition \(partition) was \(step) with \(what): run `firstmile \(command)` again, and "
          + "give every `firstmile stitch`, `survey` and `tally` the heads of all tasks")
    }
  }

  /// Whether facts have to move before they are with their people.
  private var needsStitching: Bool {
    IdentityRule(rawValue: survey.rule.identity).map {
      StitchingNeed.isThere($0, in: survey.tasks)
    } ?? false
  }

  private func checkStitching() throws(SegmentError) {
    if survey.rule.identity == "stitched",
      let task = survey.tasks.first(where: { $0.sightings == nil })
    {
      throw .missing(
        "the task '\(task.origin.task)' did not keep who was seen on which device, because no flow "
          + "asked for it: run `firstmile partition` again with this flow")
    }
    guard needsStitching || !survey.stitching.isEmpty else { return }
    let partitions = survey.stitching.map(\.partition)
    for partition in 0..<survey.partitionCount {
      let count = partitions.count { $0 == partition }
      if count == 0 {
        throw .missing(
          "partition \(partition) was not stitched: some facts have yet to find their people. Run "
            + "`firstmile stitch` for each partition, and name what it writes here as well.")
      }
      if count > 1 { throw .twice("partition \(partition) was stitched twice") }
      if survey.received[partition]?.isStitched == false {
        throw .missing("partition \(partition) was surveyed without what stitching it gave")
      }
    }
    for record in survey.stitching { try check(record) }
  }

  private func check(_ record: StitchingRecord) throws(SegmentError) {
    guard record.rule == survey.rule else {
      throw .differing(
        "partition \(record.partition) was stitched by another rule than this flow's, or with "
          + "another --as-of: run `firstmile stitch` again")
    }
    for task in survey.tasks {
      let name = task.origin.task
      let facts = record.facts[name] ?? 0
      let pairs = record.pairs[name] ?? 0
      if facts != task.facts[record.partition]
        || pairs != task.sightings?[record.partition] ?? 0
      {
        throw .missing(
          "partition \(record.partition) was stitched without all of '\(task.source.name)': run "
            + "`firstmile stitch` again with the segments of all tasks")
      }
    }
    for (partition, sent) in record.sent.enumerated() {
      let found = survey.received[partition]?.stitched[record.partition] ?? 0
      if found != sent {
        throw .missing(
          "partition \(partition) has \(found) facts from stitching partition "
            + "\(record.partition), which gave it \(sent): name all that `firstmile stitch` wrote")
      }
    }
  }
}
