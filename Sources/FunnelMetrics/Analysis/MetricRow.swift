public import FlowDefinition

/// One number of one slice: a line of `metrics.csv`.
public struct MetricRow: Sendable, Hashable {
  /// That of the metric, as ``MetricCatalog/unit(of:)`` has it.
  public typealias Unit = MetricUnit

  /// How many significant digits files hold of the value and its interval: amounts of money add up
  /// to the hundredth, however large.
  package var significantDigits: Int { unit == .amount ? 15 : 6 }

  /// The persons it is about.
  public var slice: Slice
  /// The metric's name, as docs/metrics.md lists them.
  public var metric: MetricName
  /// The step, goal, permission, page or funnel step; `all` where the metric has none.
  public var step: String
  /// The count, for counts; the numerator, for rates.
  public var numerator: Int?
  /// The denominator, for rates and amounts; `nil` for counts and whatever else has none.
  public var denominator: Int?
  /// The rate, seconds or statistic; `nil` where it is unknown.
  public var value: Double?
  /// The lower bound of the value's interval, in the value's unit; `nil` where it has none.
  public var low: Double?
  /// The upper bound of the value's interval, in the value's unit; `nil` where it has none.
  public var high: Double?
  /// The confidence level of `low` and `high`.
  public var level: Double
  /// What `value`, `low` and `high` are measured in.
  public var unit: Unit

  /// Makes a row of numbers that are taken as they are.
  public init(
    slice: Slice, metric: MetricName, step: String = "all", numerator: Int? = nil,
    denominator: Int? = nil, value: Double? = nil, low: Double? = nil, high: Double? = nil,
    level: Double = 0.95, unit: Unit
  ) {
    self.slice = slice
    self.metric = metric
    self.step = step
    self.numerator = numerator
    self.denominator = denominator
    self.value = value
    self.low = low
    self.high = high
    self.level = level
    self.unit = unit
  }
}
