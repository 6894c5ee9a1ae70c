// What events look like in tables: columns at the root. docs/formats.md lists the sources.
extension EventFormat {
  /// Columns of whatever name: those of the canonical event, and properties beside them.
  static var table: EventFormat {
    var format = EventFormat(.table)
    format.places = [
      ["event"]: [
        ["event"], ["event_name"], ["event_table_name"], ["event_type"], ["eventName"], ["name"],
        ["activity_kind"],
      ],
      ["message_id"]: [
        ["message_id"], ["messageId"], ["event_id"], ["insert_id"], ["uuid"], ["_id", "$oid"],
      ],
      ["user_id"]: [
        ["user_id"], ["userId"], ["user_id", "$numberLong"], ["user_id", "$oid"], ["distinct_id"],
        ["customer_user_id"],
      ],
      ["device_id"]: [
        ["device_id"], ["deviceId"], ["anonymous_id"], ["anonymousId"], ["user_pseudo_id"],
        ["client_id"], ["appsflyer_id"], ["adid"],
      ],
      ["session_id"]: [["session_id"], ["sessionId"]],
      ["timestamp"]: [
        ["timestamp"], ["event_time"], ["event_timestamp"], ["time"], ["@timestamp"],
        ["eventTime"], ["created_at"], ["timestamp", "$date"],
        ["timestamp", "$date", "$numberLong"],
      ],
    ]
    format.properties = [["properties"], []]
    format.hasColumns = true
    return format
  }

  /// The tables that Segment and RudderStack keep in a warehouse: one of all `track` calls, one for
  /// each event with its properties as columns.
  static var segmentTables: EventFormat {
    var format = EventFormat(.segmentTables)
    format.places = [
      ["event"]: [["event_text"], ["event"]],
      ["message_id"]: [["id"]],
      ["user_id"]: [["user_id"]],
      ["device_id"]: [["anonymous_id"]],
      ["session_id"]: [["session_id"], ["context_session_id"]],
      ["timestamp"]: [["timestamp"], ["_timestamp"]],
      ["context", "app_version"]: [["context_app_version"]],
      ["context", "os"]: [["context_os_name", both]],
      ["context", "locale"]: [["context_locale"]],
      ["context", "device_model"]: [["context_device_model"]],
    ]
    format.properties = [[]]
    format.joinsNames = true
    format.joined = [(["context_os_name"], ["context_os_version"])]
    format.clock = ClockCorrection(
      original: ["original_timestamp"], sent: ["sent_at"], received: ["received_at"])
    format.timesAreUTC = true
    format.namesCallsByColumns = true
    format.alias = AliasCalls(
      name: [["event_text"], ["event"]], names: ["alias"], others: [["previous_id"]])
    return format
  }

  /// What stands before Mixpanel's own names in columns: nothing (Fivetran, Airbyte, its
  /// pipelines), the dollar sign (mixpanel-utils), or what Singer's tap and other loaders write for
  /// it.
  private static let mixpanelPrefixes = ["", "$", "mp_reserved_", "mp_", "_"]

  /// A name of Mixpanel's own as a column.
  private static func mixpanelColumns(_ name: String, _ ending: Path = []) -> [Path] {
    mixpanelPrefixes.map { [$0 + name] + ending }
  }

  /// Where a name of Mixpanel's own stands that it has no column for: among the properties, or in
  /// a column where loaders have taken these apart.
  private static func inPropertiesOrColumns(_ name: String) -> [Path] {
    [["properties", "$" + name]] + mixpanelColumns(name)
  }

  /// Mixpanel's events in a warehouse or a table: its own columns by whichever names loaders give
  /// them; other properties in an object or beside.
  static var mixpanelTable: EventFormat {
    var format = EventFormat(.mixpanelTable)
    format.places = [
      ["event"]: [["event_name"], ["event"], ["name"]],
      ["message_id"]: mixpanelColumns("insert_id"),
      ["user_id"]: [["properties", "$user_id"]] + mixpanelColumns("user_id"),
      ["device_id"]: [["device_id"], ["properties", "$device_id"]]
        + mixpanelColumns("device_id").dropFirst(),
      ["session_id"]: [
        ["properties", "session_id"], ["properties", "$session_id"], ["session_id"],
      ],
      ["timestamp"]: [["time"]],
      ["context", "app_version"]: [
        ["app_version_string"], ["app_version"], ["properties", "$app_version_string"],
        ["properties", "$app_version"],
      ] + mixpanelColumns("app_version_string").dropFirst(),
      ["context", "os"]: [["os", both], ["properties", "$os", both]]
        + mixpanelColumns("os", [both]).dropFirst(),
      ["context", "locale"]: [["properties", "locale"], ["properties", "$locale"]],
      ["context", "device_model"]: [["model"], ["properties", "$model"]]
        + mixpanelColumns("model").dropFirst(),
    ]
    format.properties = [["properties"], []]
    format.joined =
      [(["properties", "$os"], ["properties", "$os_version"])]
      + mixpanelPrefixes.map { ([$0 + "os"], [$0 + "os_version"]) }
    format.mixedIdentity = MixedIdentity(
      distinct: [["distinct_id"]], devicePrefix: "$device:",
      before: inPropertiesOrColumns("distinct_id_before_identity"))
    format.alias = AliasCalls(
      name: format.places[["event"]] ?? [], names: mixpanel.alias?.names ?? [],
      users: inPropertiesOrColumns("identified_id"), devices: inPropertiesOrColumns("anon_id"),
      others: [["properties", "alias"], ["alias"]], lists: inPropertiesOrColumns("distinct_ids"))
    format.timesAreUTC = true
    return format
  }

  /// Snowplow's enriched events: what a self-describing event says is in an object of its own, by
  /// the name of its schema where an SDK has turned it into JSON. On phones the ids of the device
  /// and of the session are in such an object, too.
  static var snowplow: EventFormat {
    var format = EventFormat(.snowplow)
    // BigQuery had a column for each full version once; warehouses write names in snake case.
    let sessions = ["", "_0_0", "_0_1", "_0_2", "_0_3"].map {
      ["contexts_com_snowplowanalytics_snowplow_client_session_1" + $0]
    }
    let devices: [[String]] = sessions.flatMap { [$0 + ["userId"], $0 + ["user_id"]] }
    let visits: [[String]] = sessions.flatMap { [$0 + ["sessionId"], $0 + ["session_id"]] }
    format.places = [
      ["event"]: [["event_name"], ["se_action"]],
      ["message_id"]: [["event_id"]],
      ["user_id"]: [["user_id"]],
      ["device_id"]: [["domain_userid"]] + devices + [["network_userid"]],
      ["session_id"]: [["domain_sessionid"]] + visits,
      ["timestamp"]: [["derived_tstamp"], ["collector_tstamp"]],
      ["context", "os"]: [["os_name", both]],
      ["context", "locale"]: [["br_lang"]],
      ["context", "device_model"]: [["dvce_type"]],
    ]
    // A structured event has its name in its action.
    format.silent = [["event_name"]: ["event"]]
    format.properties = [
      ["unstruct_event", "data", "data"], ["unstruct_event_" + anyEnding], [],
    ]
    format.embedded = [["unstruct_event"]]
    format.firstItems = sessions
    format.described = [
      Described(column: ["contexts"], prefix: "contexts"),
      Described(column: ["derived_contexts"], prefix: "contexts"),
      Described(column: ["unstruct_event"], prefix: "unstruct_event"),
    ]
    format.joined = [(["os_name"], ["os_version"])]
    format.timesAreUTC = true
    return format
  }
}
