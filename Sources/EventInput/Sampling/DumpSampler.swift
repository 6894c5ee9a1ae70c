/// Reads some of a dump's events with all their fields, for drafts.
public struct DumpSampler {
  /// How many lines are looked at, over all sources; all of them, for whole people, if not given.
  public var lineLimit: Int?
  /// How many events are kept of whole people.
  public var eventLimit = 60_000
  /// On how many threads the values of what is kept are read.
  public var threads = 4
  /// The format of all sources; recognised from the first lines if not given.
  public var format: EventFormat.Name?

  /// A sampler of whole people; the format is recognised where it is not given.
  public init(format: EventFormat.Name? = nil) { self.format = format }

  /// What was found.
  public struct Sample: Sendable {
    /// Events of whole people, or of the first lines, in the order in which they were read.
    public var events: [SampledEvent] = []
    /// Lines and rows that were looked at, whether they are events or not.
    public var lines = 0
    /// The formats that the sources have, each once, in the order in which they were met.
    public var formats: [EventFormat.Name] = []
    /// The first line that is no event.
    public var refused: RefusedLine?
    /// Sources that can't be read, or not to their end.
    public var problems: [InputProblem] = []
    /// Where the bytes of other sources are damaged, as far as these were looked at.
    public var damages: [InputProblem] = []

    /// The crawlers and robots that the events name, those with the most events first.
    public var crawlers: [SampledCrawler] {
      var (count, search) = (CrawlerCount(), CrawlerSearch())
      for event in events { count.add(event.crawler(&search)) }
      return count.found
    }
  }

  /// All events of some people; or, with a limit of lines, the first lines of each source, as many
  /// of each as the limit allows.
  public func sample(_ sources: [InputSource]) -> Sample {
    var sample = Sample()
    var people = SampledPeople(limit: lineLimit ?? eventLimit)
    let rounds = [BlockRound(threads: threads), BlockRound(threads: threads)]
    var left = lineLimit ?? .max
    for (index, source) in sources.enumerated() {
      // What small files leave over, later ones may use.
      let share = lineLimit == nil ? .max : max(1, left / (sources.count - index))
      let before = sample.lines
      do {
        try read(source, rounds, limit: share, into: &sample, &people)
      } catch let problem as InputProblem {
        sample.problems.append(problem)
      } catch {
        sample.problems.append(InputProblem(name: source.name, message: "\(error)"))
      }
      left -= sample.lines - before
    }
    sample.events = people.events(threads: threads)
    return sample
  }

  private func read(
    _ source: InputSource, _ rounds: [BlockRound], limit: Int, into sample: inout Sample,
    _ people: inout SampledPeople
  ) throws {
    let (lines, damages) = (sample.lines, sample.damages.count)
    let hasOtherTable = try read(
      source, rounds, limit: limit, passesOver: true, into: &sample, &people)
    // As in a report: without events in the archive, the rows of its tables show why.
    guard hasOtherTable, sample.lines == lines, source.canBeReadTwice else { return }
    sample.damages.removeLast(sample.damages.count - damages)
    _ = try read(source, rounds, limit: limit, passesOver: false, into: &sample, &people)
  }

  /// - Returns: whether a table of something else was left out of an archive.
  private func read(
    _ source: InputSource, _ rounds: [BlockRound], limit: Int, passesOver: Bool,
    into sample: inout Sample, _ people: inout SampledPeople
  ) throws -> Bool {
    let asked = self.format.map { ScanPlan.ofAnyFlow(format: $0) }
    let reader = try LineBlockReader(
      source, maximumLineBytes: 1 << 20,
      passingOver: passesOver ? EventRecognition(plan: asked) : nil)
    defer {
      sample.damages += reader.log.damages.map {
        InputProblem(name: source.name, message: $0.description)
      }
    }
    let detector = FormatDetector()
    var detected: DetectedFormat?
    func format(_ block: LineBlock) -> DetectedFormat {
      if let detected, block.newName == nil { return detected }
      var found = detector.format(of: block, asked: self.format)
      found.dayOrder = DayOrderSurvey.order(
        of: source, beginning: block, .ofAnyFlow(format: self.format), found.format)
      detected = found
      return found
    }
    if limit != .max {
      try readLines(reader, source, limit: limit, into: &sample, &people, format: format)
      return reader.hasPassedOverTable
    }
    // One round is judged while the other is read.
    var place = 0
    var isMore = rounds[place].fill(reader, format: format)
    while isMore {
      let round = rounds[place]
      round.start()
      let isLast = round.failure != nil
      isMore = !isLast && rounds[1 - place].fill(reader, format: format)
      for (block, format, lines) in round.finish() {
        take(lines, block, format, source, into: &sample, &people)
      }
      if let failure = round.failure { throw failure }
      place = 1 - place
    }
    return reader.hasPassedOverTable
  }

  /// The first lines of a source.
  private func readLines(
    _ reader: LineBlockReader, _ source: InputSource, limit: Int, into sample: inout Sample,
    _ people: inout SampledPeople, format: (LineBlock) -> DetectedFormat
  ) throws {
    let block = LineBlock()
    var judges: [DetectedFormat: LineJudge] = [:]
    let end = sample.lines + limit
    while sample.lines < end, try reader.next(block) {
      guard case .lines = block.kind else { continue }
      let detected = format(block)
      let judge = judges[detected] ?? LineJudge(detected.format)
      judges[detected] = judge
      let lines = block.judged(judge, limit: end - sample.lines)
      take(lines, block, detected, source, into: &sample, &people)
    }
  }

  private func take(
    _ lines: JudgedLines, _ block: LineBlock, _ detected: DetectedFormat, _ source: InputSource,
    into sample: inout Sample, _ people: inout SampledPeople
  ) {
    if !sample.formats.contains(detected.name) { sample.formats.append(detected.name) }
    let format = detected.format
    if sample.refused == nil, let refused = lines.refused {
      let shape = JSONFlattener.shape(of: refused.line, format: format)
      sample.refused = RefusedLine(
        source: source.name, format: detected.name, isRow: block.isTable,
        reason: refused.reason, detail: refused.detail, keys: shape.keys,
        lists: shape.lists)
    }
    sample.lines += lines.lines
    for event in lines.events {
      let ids = (event.device, event.user)
      if let person = people.person(ids) {
        let line = KeptLine(bytes: block.line(of: event, in: lines), format: format)
        people.add(line, of: person, ids)
      }
    }
  }
}
