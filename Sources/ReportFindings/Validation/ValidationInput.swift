public import FlowDefinition
public import FunnelEngine

/// What `validate` has found, before it is judged.
public struct ValidationInput: Sendable {
  /// One input and how it was read.
  public struct Source: Sendable {
    /// The name that the input was given by.
    public var name: String
    /// The format's name, such as `segment`.
    public var format: String
    /// Lines or records that are not blank; each is an event or a reject.
    public var lines: Int
    /// What its name promises and its bytes don't keep, in words.
    public var misnaming: String?

    /// Describes one input.
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
    /// The reason's name in CSV and JSON.
    public var reason: String
    /// How many lines were rejected for it.
    public var count: Int
    /// The first of these lines as `file:line` with what is wrong; empty where it is not known.
    public var example: String

    /// Describes the rejects of one reason.
    public init(reason: String, count: Int, example: String) {
      self.reason = reason
      self.count = count
      self.example = example
    }
  }

  /// The flow that the events are held against.
  public var flow: Flow
  /// Each input, in the order of reading.
  public var sources: [Source] = []
  /// One entry for each reason that occurred.
  public var rejects: [Rejects] = []
  /// From bringing the facts together, by name.
  public var timelineCounts: [String: Int] = [:]
  /// What was found in people's timelines.
  public var inspection: DataInspection
  /// The moment up to which the data count as complete, in milliseconds since 1970.
  public var horizonMilliseconds: Int64 = 0
  /// Events by the hours that they took to arrive (−1: arrived before they happened).
  public var arrivalsByHour: [Int: Int] = [:]
  /// Events by the hour in which they happened, one table a file.
  public var eventsByHourOfFile: [[Int: Int]] = []
  /// Events that have both the device's clock and the server's at one moment.
  public var clockReadings = 0
  /// Of ``clockReadings``, those in which the clocks differ by more than a minute.
  public var clocksOffByMinutes = 0
  /// Of ``clockReadings``, those in which the clocks differ by more than an hour.
  public var clocksOffByHours = 0
  /// How many different ids of events were seen.
  public var messageIds = 0
  /// Deliveries of these ids beyond the first of each.
  public var repeatedMessages = 0
  /// Of ``messageIds``, those that came with another time or event name.
  public var messagesWithOtherContent = 0
  /// Whether these ids are a sample, as there were too many to keep all of them.
  public var messagesAreSample = false

  /// Begins with the flow and the timelines; the rest is set one by one.
  public init(flow: Flow, inspection: DataInspection) {
    self.flow = flow
    self.inspection = inspection
  }

  /// Whether the events themselves say when they arrived; else it is estimated from the files.
  var arrivalsAreKnown: Bool { !arrivalsByHour.isEmpty }

  var arrivals: ArrivalTable {
    ArrivalTable(
      arrivalsAreKnown ? arrivalsByHour : ArrivalTable.estimated(fromFiles: eventsByHourOfFile))
  }
}
