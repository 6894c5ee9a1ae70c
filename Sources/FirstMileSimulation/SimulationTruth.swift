/// What is true of a simulated dump, derived from the simulated persons' fates alone.
///
/// `truth.json` holds it with sorted keys. `metrics` bears the names and slices of `metrics.csv`,
/// so that the two can be compared row by row; `chances` are the probabilities that the fates were
/// drawn with, each with how often it was drawn and how often it came true.
public struct SimulationTruth: Sendable, Equatable, Codable {
  public var schema: Int
  public var flow: String
  public var seed: UInt64
  /// Persons of the plan, of every kind.
  public var persons: Int
  public var days: Int
  public var startMilliseconds: Int64
  /// The automatic horizon of the dump: the latest time at which three persons are active.
  public var horizonMilliseconds: Int64
  /// What goes wrong on some days: the numbers include it.
  public var incidents: [IncidentTruth]
  public var lines: LineTruth
  public var metrics: [MetricTruth]
  public var times: [TimeTruth]
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
  public var metric: String
  /// The step, permission, goal, friction or page; empty where the metric has none.
  public var step: String
  public var version: String
  public var experiment: String
  public var variant: String
  /// `dimension=value`, or `all`.
  public var breakdown: String
  public var numerator: Int
  /// `nil` for a count.
  public var denominator: Int?

  init(
    metric: String, step: String, version: String, experiment: String, variant: String,
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

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func slice(_ key: Key) throws -> String {
      try values.decodeIfPresent(String.self, forKey: key) ?? "all"
    }
    self.init(
      metric: try values.decode(String.self, forKey: .metric),
      step: try values.decodeIfPresent(String.self, forKey: .step) ?? "",
      version: try slice(.version), experiment: try slice(.experiment),
      variant: try slice(.variant), breakdown: try slice(.breakdown),
      numerator: try values.decode(Int.self, forKey: .numerator),
      denominator: try values.decodeIfPresent(Int.self, forKey: .denominator))
  }

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
  public var probability: Double
  public var trials: Int
  public var hits: Int
  /// How many hits were expected of the draws that were made, and their variance: a day's effect or
  /// an incident changes the odds of some, so that it may differ from `trials × probability`.
  public var expectedHits: Double
  public var variance: Double
}
