public import FlowDefinition

/// What is true of a simulated dump, derived from the simulated persons' fates alone.
///
/// `truth.json` holds it with sorted keys. `metrics` bears the names and slices of `metrics.csv`,
/// so that the two can be compared row by row; `chances` are the probabilities that the fates were
/// drawn with, each with how often it was drawn and how often it came true.
public struct SimulationTruth: Sendable, Equatable, Codable {
  /// The version of the document's shape.
  public var schema: Int
  /// The id of the flow that was acted out.
  public var flow: String
  /// What all chance was drawn from: an equal plan and seed give equal bytes.
  public var seed: UInt64
  /// Persons of the plan, of every kind.
  public var persons: Int
  /// Days from the first entry to the end of the dump.
  public var days: Int
  /// Midnight UTC of the first day, in milliseconds since 1970.
  public var startMilliseconds: Int64
  /// The horizon of the dump (definitions 1.4): the last moment of anybody whose clock is right.
  public var horizonMilliseconds: Int64
  /// What goes wrong on some days: the numbers include it.
  public var incidents: [IncidentTruth]
  /// How many lines of which kind the files have.
  public var lines: LineTruth
  /// What a report must count, row by row.
  public var metrics: [MetricTruth]
  /// How long steps, goals and the whole took, as a report must have it.
  public var times: [TimeTruth]
  /// The probabilities that the fates were drawn with, and what came of each.
  public var chances: [ChanceTruth]
  /// Goals, friction, retention measures and funnels of the flow that the simulator can't act out,
  /// because they are made of onboarding events or count in a way of their own: they have no row in
  /// `metrics`.
  public var notSimulated: [String]
}

/// What was written, line by line.
public struct LineTruth: Sendable, Equatable, Codable {
  /// The names of the files, in the order of time.
  public var files: [String]
  /// All lines: events (duplicates among them) and broken ones.
  public var written: Int
  /// Lines that hold an event that can be read.
  public var events: Int
  /// Lines that repeat another line byte for byte.
  public var duplicates: Int
  /// Lines in a later file than their time belongs to.
  public var late: Int
  /// Lines moved away from their place in time.
  public var outOfOrder: Int
  /// Events of wrong clocks, far from all others (duplicates not counted).
  public var misdated: Int
  /// Broken lines by the reason a reader must give.
  public var broken: [String: Int]

  init() {
    files = []
    written = 0
    events = 0
    duplicates = 0
    late = 0
    outOfOrder = 0
    misdated = 0
    broken = [:]
  }

  mutating func merge(_ other: LineTruth) {
    written += other.written
    events += other.events
    duplicates += other.duplicates
    late += other.late
    outOfOrder += other.outOfOrder
    misdated += other.misdated
    broken.merge(other.broken, uniquingKeysWith: +)
  }
}

/// One realised count: a row of `metrics.csv`.
///
/// In JSON a slice that is not cut, an empty step and a missing denominator are left out.
public struct MetricTruth: Sendable, Hashable, Codable {
  /// The metric's name in docs/metrics.md.
  public var metric: MetricName
  /// The step, permission, goal, friction or page; empty where the metric has none.
  public var step: String
  /// The flow's version, or `all`.
  public var version: String
  /// The experiment's id, or `all`.
  public var experiment: String
  /// The variant, as tables label it, or `all`.
  public var variant: String
  /// `dimension=value`, or `all`.
  public var breakdown: String
  /// How many persons are counted; exact, as all fates are known.
  public var numerator: Int
  /// `nil` for a count.
  public var denominator: Int?

  init(
    metric: MetricName, step: String, version: String, experiment: String, variant: String,
    breakdown: String, numerator: Int, denominator: Int?
  ) {
    self.metric = metric
    self.step = step
    self.version = version
    self.experiment = experiment
    self.variant = variant
    self.breakdown = breakdown
    self.numerator = numerator
    self.denominator = denominator
  }

  private enum Key: String, CodingKey {
    case metric, step, version, experiment, variant, breakdown, numerator, denominator
  }

  /// Reads a row; a slice that is left out is `all`, an empty step is none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func slice(_ key: Key) throws -> String {
      try values.decodeIfPresent(String.self, forKey: key) ?? "all"
    }
    self.init(
      metric: try values.decode(MetricName.self, forKey: .metric),
      step: try values.decodeIfPresent(String.self, forKey: .step) ?? "",
      version: try slice(.version), experiment: try slice(.experiment),
      variant: try slice(.variant), breakdown: try slice(.breakdown),
      numerator: try values.decode(Int.self, forKey: .numerator),
      denominator: try values.decodeIfPresent(Int.self, forKey: .denominator))
  }

  /// Writes a row without slices that are `all` and without an empty step.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(metric, forKey: .metric)
    try values.encode(numerator, forKey: .numerator)
    try values.encodeIfPresent(denominator, forKey: .denominator)
    if !step.isEmpty { try values.encode(step, forKey: .step) }
    let slices = [
      (Key.version, version), (.experiment, experiment), (.variant, variant),
      (.breakdown, breakdown),
    ]
    for (key, value) in slices where value != "all" { try values.encode(value, forKey: key) }
  }
}

/// A probability that fates were drawn with, and what came of it.
public struct ChanceTruth: Sendable, Hashable, Codable {
  /// What was decided: `leave`, `skip`, `go_back`, `decline`, `take`, `granted`, `return` …
  public var chance: String
  /// The step, permission, goal or `d7`.
  public var of: String
  /// What else it depends on, such as `outcome=finished`; empty where nothing.
  public var given: String
  /// The version and the variants of the persons, as `version=2 copy=B`.
  public var arm: String
  /// The chance that was drawn with, from 0 to 1.
  public var probability: Double
  /// How often it was drawn.
  public var trials: Int
  /// How often it came true.
  public var hits: Int
  /// How many hits were expected of the draws that were made: a day's effect or an incident changes
  /// the odds of some, so that it may differ from `trials × probability`.
  public var expectedHits: Double
  /// The variance of ``hits`` by the odds of the draws that were made.
  public var variance: Double
}
