package import FlowDefinition

/// What one report leaves behind: its headline numbers, and what they were made from.
package struct HistoryEntry: Sendable, Hashable {
  /// One number of one group of persons.
  package struct Metric: Sendable, Hashable {
    /// An experiment's id, or `all`.
    package var experiment: String
    package var variant: String
    package var metric: MetricName
    /// The step, goal or permission; `all` where the metric has none.
    package var step: String
    /// Of the metric's definition: numbers with different ones can't be compared.
    package var fingerprint: String
    package var numerator: Int?
    package var denominator: Int?
    package var value: Double?
    /// The interval, where the report gave one.
    package var low: Double?
    package var high: Double?
    package var unit: String

    package init(
      experiment: String, variant: String, metric: MetricName, step: String, fingerprint: String,
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
  package internal(set) var id: Int64 = 0
  package var flow: String
  package var fingerprint: String
  package var programVersion: String
  package var horizonMilliseconds: Int64?
  /// The options that change numbers, by name and in words.
  package var options: [String: String]
  /// The latest source that was in.
  package var lastSource: Int64
  /// Distinct facts.
  package var facts: Int
  /// SHA-256 of `metrics.csv`, in hexadecimal.
  package var metricsDigest: String
  /// When the report was made; given by the caller.
  package var madeAt: String
  package var metrics: [Metric]

  /// - Parameter metricsText: the report's `metrics.csv`.
  package init(
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
