/// What one report leaves behind: its headline numbers, and what they were made from.
public struct HistoryEntry: Sendable, Hashable {
  /// One number of one group of persons.
  public struct Metric: Sendable, Hashable {
    /// An experiment's id, or `all`.
    public var experiment: String
    public var variant: String
    public var metric: String
    /// The step, goal or permission; `all` where the metric has none.
    public var step: String
    /// Of the metric's definition: numbers with different ones can't be compared.
    public var fingerprint: String
    public var numerator: Int?
    public var denominator: Int?
    public var value: Double?
    /// The interval, where the report gave one.
    public var low: Double?
    public var high: Double?
    public var unit: String

    public init(
      experiment: String, variant: String, metric: String, step: String, fingerprint: String,
      numerator: Int?, denominator: Int?, value: Double?, low: Double? = nil,
      high: Double? = nil, unit: String
    ) {
      self.experiment = experiment
      self.variant = variant
      self.metric = metric
      self.step = step
      self.fingerprint = fingerprint
      self.numerator = numerator
      self.denominator = denominator
      self.value = value
      self.low = low
      self.high = high
      self.unit = unit
    }
  }

  /// Given by the store; reports made later have greater numbers.
  public internal(set) var id: Int64 = 0
  public var flow: String
  public var fingerprint: String
  public var programVersion: String
  public var horizonMilliseconds: Int64?
  /// The options that change numbers, by name and in words.
  public var options: [String: String]
  /// The latest source that was in.
  public var lastSource: Int64
  /// Distinct facts.
  public var facts: Int
  /// SHA-256 of `metrics.csv`, in hexadecimal.
  public var metricsDigest: String
  /// When the report was made; given by the caller.
  public var madeAt: String
  public var metrics: [Metric]

  /// - Parameter metricsText: the report's `metrics.csv`.
  public init(
    flow: String, fingerprint: String, programVersion: String, horizonMilliseconds: Int64?,
    options: [String: String], lastSource: Int64, facts: Int, metricsText: String,
    madeAt: String, metrics: [Metric]
  ) {
    self.flow = flow
    self.fingerprint = fingerprint
    self.programVersion = programVersion
    self.horizonMilliseconds = horizonMilliseconds
    self.options = options
    self.lastSource = lastSource
    self.facts = facts
    metricsDigest = FileStamp.digest(ofText: metricsText)
    self.madeAt = madeAt
    self.metrics = metrics
  }
}
