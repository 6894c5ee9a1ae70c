/// One event of an onboarding: what happened, when, and to whom.
///
/// The shape is that of `docs/event.schema.json`. `OnboardingEvents` stands beside the data path
/// and imports nothing, not even Foundation, so that an app can have it for the price of a few
/// files.
public struct OnboardingEvent: Sendable, Hashable {
  /// The event's name, such as `onboarding_page_viewed`.
  public var name: String
  /// When it happened on the device.
  public var time: EventTime
  /// Who is signed in; of this and ``deviceID`` at least one is needed.
  public var userID: String?
  /// The installation.
  public var deviceID: String?
  /// One a launch: a new one within the flow is a return to it.
  public var sessionID: String?
  /// Kept when the message is sent again, so that repeated messages count once.
  public var messageID: String?
  /// The id of the onboarding, as in the flow file.
  public var flow: String?
  /// Which edition of the flow the person sees; nil where there is but one.
  public var flowVersion: String?
  /// Variants by experiment.
  public var experiments: [String: String]
  /// What belongs to the event, by name; those of the action are among them.
  public var properties: [String: EventValue]
  /// What holds of the device or the person rather than of the event.
  public var context: [String: EventValue]

  /// An event of any name; besides name and time, an id of one kind is needed when it is written.
  public init(
    name: String, time: EventTime, userID: String? = nil, deviceID: String? = nil,
    sessionID: String? = nil, messageID: String? = nil, flow: String? = nil,
    flowVersion: String? = nil, experiments: [String: String] = [:],
    properties: [String: EventValue] = [:], context: [String: EventValue] = [:]
  ) {
    self.name = name
    self.time = time
    self.userID = userID
    self.deviceID = deviceID
    self.sessionID = sessionID
    self.messageID = messageID
    self.flow = flow
    self.flowVersion = flowVersion
    self.experiments = experiments
    self.properties = properties
    self.context = context
  }

  /// An event that says what an action says.
  public init(
    _ action: OnboardingAction, at time: EventTime, userID: String? = nil,
    deviceID: String? = nil, sessionID: String? = nil, messageID: String? = nil,
    flow: String? = nil, flowVersion: String? = nil, experiments: [String: String] = [:],
    context: [String: EventValue] = [:]
  ) {
    self.init(
      name: action.name, time: time, userID: userID, deviceID: deviceID, sessionID: sessionID,
      messageID: messageID, flow: flow, flowVersion: flowVersion, experiments: experiments,
      properties: action.properties, context: context)
  }
}

extension OnboardingEvent: Codable {
  private enum CodingKeys: String, CodingKey {
    case name = "event"
    case time = "timestamp"
    case userID = "user_id"
    case deviceID = "device_id"
    case sessionID = "session_id"
    case messageID = "message_id"
    case flow
    case flowVersion = "flow_version"
    case experiment, variant, experiments, properties, context
  }

  /// Decodes an event in the shape of `docs/event.schema.json`; texts may be whole numbers or
  /// booleans there. A lone `experiment` with its `variant` goes into ``experiments``.
  ///
  /// - Throws: `DecodingError` where the name or the time is missing, or anything has another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      try container.decodeIfPresent(EventLabel.self, forKey: key)?.text
    }
    self.init(
      name: try container.decode(String.self, forKey: .name),
      time: try container.decode(EventTime.self, forKey: .time), userID: try text(.userID),
      deviceID: try text(.deviceID), sessionID: try text(.sessionID),
      messageID: try text(.messageID), flow: try text(.flow), flowVersion: try text(.flowVersion))
    experiments =
      try container.decodeIfPresent([String: EventLabel].self, forKey: .experiments)?
      .compactMapValues(\.text) ?? [:]
    // One experiment may stand on its own; the map counts before it (docs/definitions.md 6.2).
    if let experiment = try text(.experiment), experiments[experiment] == nil,
      let variant = try text(.variant)
    {
      experiments[experiment] = variant
    }
    properties =
      try container.decodeIfPresent([String: EventValue].self, forKey: .properties) ?? [:]
    context = try container.decodeIfPresent([String: EventValue].self, forKey: .context) ?? [:]
  }

  /// Encodes the event in the shape of `docs/event.schema.json`, without what is empty.
  ///
  /// - Throws: `EncodingError` where a property's number is not finite.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(time, forKey: .time)
    try container.encodeIfPresent(userID, forKey: .userID)
    try container.encodeIfPresent(deviceID, forKey: .deviceID)
    try container.encodeIfPresent(sessionID, forKey: .sessionID)
    try container.encodeIfPresent(messageID, forKey: .messageID)
    try container.encodeIfPresent(flow, forKey: .flow)
    try container.encodeIfPresent(flowVersion, forKey: .flowVersion)
    if !experiments.isEmpty { try container.encode(experiments, forKey: .experiments) }
    if !properties.isEmpty { try container.encode(properties, forKey: .properties) }
    if !context.isEmpty { try container.encode(context, forKey: .context) }
  }
}
