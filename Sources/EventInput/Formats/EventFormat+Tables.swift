// What events look like in tables: columns at the root. docs/formats.md lists the sources.
extension EventFormat {
  /// Columns of whatever name: those of the canonical event, and properties beside them.
  static var table: EventFormat {
    var format = EventFormat(.table)
    format.places = [
      ["event"]: [["event"], ["event_name"], ["event_type"], ["name"]],
      ["message_id"]: [["message_id"], ["event_id"], ["insert_id"], ["uuid"]],
      ["user_id"]: [["user_id"], ["userId"]],
      ["device_id"]: [["device_id"], ["deviceId"], ["anonymous_id"]],
      ["session_id"]: [["session_id"]],
      ["timestamp"]: [["timestamp"], ["event_time"], ["event_timestamp"], ["time"]],
    ]
    format.properties = [["properties"], []]
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
    return format
  }

  /// Mixpanel's events as Fivetran loads them: its own columns without the dollar sign, all other
  /// properties a text of JSON.
  static var mixpanelTable: EventFormat {
    var format = EventFormat(.mixpanelTable)
    format.places = [
      ["event"]: [["name"]],
      ["message_id"]: [["insert_id"]],
      ["user_id"]: [["properties", "$user_id"]],
      ["device_id"]: [["device_id"], ["properties", "$device_id"]],
      ["session_id"]: [["properties", "session_id"], ["properties", "$session_id"]],
      ["timestamp"]: [["time"]],
      ["context", "app_version"]: [["app_version_string"], ["app_version"]],
      ["context", "os"]: [["os", both]],
      ["context", "locale"]: [["properties", "locale"], ["properties", "$locale"]],
      ["context", "device_model"]: [["model"]],
    ]
    format.properties = [["properties"], []]
    format.joined = [(["os"], ["os_version"])]
    format.mixedIdentity = MixedIdentity(
      distinct: ["distinct_id"], isIdentified: nil, devicePrefix: "$device:",
      before: ["distinct_id_before_identity"])
    format.alias = mixpanel.alias
    format.alias?.name = ["name"]
    format.timesAreUTC = true
    return format
  }

  /// Snowplow's enriched events: what a self-describing event says is in an object of its own.
  static var snowplow: EventFormat {
    var format = EventFormat(.snowplow)
    format.places = [
      ["event"]: [["event_name"]],
      ["message_id"]: [["event_id"]],
      ["user_id"]: [["user_id"]],
      ["device_id"]: [["domain_userid"], ["network_userid"]],
      ["session_id"]: [["domain_sessionid"]],
      ["timestamp"]: [["derived_tstamp"], ["collector_tstamp"]],
      ["context", "os"]: [["os_name", both]],
      ["context", "locale"]: [["br_lang"]],
      ["context", "device_model"]: [["dvce_type"]],
    ]
    format.properties = [["unstruct_event", "data", "data"], []]
    format.embedded = [["unstruct_event"]]
    format.joined = [(["os_name"], ["os_version"])]
    format.timesAreUTC = true
    return format
  }
}
