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

  public init(format: EventFormat.Name? = nil) { self.format = format }

  /// What was found.
  public struct Sample: Sendable {
    public var events: [SampledEvent] = []
    public var lines = 0
    public var formats: [EventFormat.Name] = []
    /// The first line that is no event.
    public var refused: RefusedLine?
    public var problems: [InputProblem] = []

    /// The crawlers and robots that the events name, those with the most events first.
    public var crawlers: [SampledCrawler] {
      var count = CrawlerCount()
      for event in events { event.count(in: &count) }
      return count.found
    }
  }

  /// All events of some people; or, with a limit of lines, the first lines of each source, as many
  /// of each as the limit allows.
  public func sample(_ sources: [InputSource]) -> Sample {
    var sample = Sample()
    var people = SampledPeople(limit: lineLimit ?? eventLimit)
    var left = lineLimit ?? .max
    for (index, source) in sources.enumerated() {
      // What small files leave over, later ones may use.
      let share = lineLimit == nil ? .max : max(1, left / (sources.count - index))
      let before = sample.lines
      do {
        try read(source, limit: share, into: &sample, &people)
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
    _ source: InputSource, limit: Int, into sample: inout Sample, _ people: inout SampledPeople
  ) throws {
    let reader = try LineBlockReader(source, maximumLineBytes: 1 << 20)
    let block = LineBlock()
    let detector = FormatDetector()
    var detected: DetectedFormat?
    var judge: LineJudge?
    let end = limit == .max ? .max : sample.lines + limit
    while sample.lines < end, try reader.next(block) {
      guard case .lines = block.kind else { continue }
      if block.newName != nil || detected == nil {
        let found = detector.format(of: block, asked: format)
        if found != detected { judge = nil }
        detected = found
        if !sample.formats.contains(found.name) { sample.formats.append(found.name) }
      }
      let format = detected?.format ?? EventFormat(.canonical)
      let own = judge ?? LineJudge(format)
      judge = own
      let found = block.events(limit: end - sample.lines, own) { people.person($0) }
      if sample.refused == nil, let refused = found.refused {
        let row = JSONFlattener.scalars(of: refused.line, format: format, depth: .everything)
        sample.refused = RefusedLine(
          source: source.name, format: detected?.name ?? .canonical, isRow: block.isTable,
          reason: refused.reason, detail: refused.detail, keys: row?.keys.sorted() ?? [])
      }
      sample.lines += found.lines
      for (line, person) in found.events {
        people.add(KeptLine(bytes: line, format: format), of: person)
      }
    }
  }
}
