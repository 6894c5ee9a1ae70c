public import FlowDefinition
public import FunnelEngine

/// What `validate` has found, before it is judged.
public struct ValidationInput: Sendable {
  /// One input and how it was read.
  public struct Source: Sendable {
    public var name: String
    public var format: String
    public var lines: Int
    /// What its name promises and its bytes don't keep, in words.
    public var misnaming: String?

    public init(
      name: String, format: String, lines: Int, misnaming: String? = nil
    ) {
      self.name = name
      self.format = format
      self.lines = lines
      self.misnaming = misnaming
    }
  }

  /// Rejected lines of one reason, and where the first stands.
  public struct Rejects: Sendable {
    public var reason: String
    public var count: Int
    public var example: String

    public init(reason: String, count: Int, example: String) {
      self.reason = reason
      self.count = count
      self.example = example
    }
  }

  public var flow: Flow
  public var sources: [Source] = []
  public var rejects: [Rejects] = []
  /// From bringing the facts together, by name.
  public var timelineCounts: [String: Int] = [:]
  public var inspection: DataInspection
  public var horizonMilliseconds: Int64 = 0
  /// Events by the hours that they took to arrive (−1: arrived before they happened).
  public var arrivalsByHour: [Int: Int] = [:]
  /// Events by the hour in which they happened, one table a file.
  public var eventsByHourOfFile: [[Int: Int]] = []
  public var clockReadings = 0
  public var clocksOffByMinutes = 0
  public var clocksOffByHours = 0
  public var messageIds = 0
  public var repeatedMessages = 0
  public var messagesWithOtherContent = 0
  public var messagesAreSample = false

  public init(flow: Flow, inspection: DataInspection) {
    self.flow = flow
    self.inspection = inspection
  }

  /// Whether the events themselves say when they arrived; else it is estimated from the files.
  var arrivalsAreTold: Bool { !arrivalsByHour.isEmpty }

  var arrivals: ArrivalTable {
    ArrivalTable(
      arrivalsAreTold ? arrivalsByHour : ArrivalTable.told(fromFiles: eventsByHourOfFile))
  }
}
