// What each vendor documents; the pages are listed in docs/formats.md.
extension EventFormat {
  /// The last key of a place that holds two values, joined.
  static let both = "+"

  /// Segment's and RudderStack's calls have one shape: `track` has an event's name, the others are
  /// called by their type.
  static func segment(_ name: Name) -> EventFormat {
    var format = EventFormat(name)
    format.places = [
      ["event"]: [["event"], ["type"]],
      ["message_id"]: [["messageId"]],
      ["user_id"]: [["userId"]],
      ["device_id"]: [["anonymousId"]],
      ["session_id"]: [["properties", "session_id"], ["context", "sessionId"]],
      ["timestamp"]: [["timestamp"]],
      ["context", "app_version"]: [["context", "app", "version"]],
      ["context", "os"]: [["context", "os", "name", both]],
      ["context", "device_model"]: [["context", "device", "model"]],
    ]
    format.silent = [["type"]: ["track"]]
    format.alias = AliasCalls(name: [["type"]], names: ["alias"], others: [["previousId"]])
    format.joined = [(["context", "os", "name"], ["context", "os", "version"])]
    format.clock = ClockCorrection(
      original: ["originalTimestamp"], sent: ["sentAt"], received: ["receivedAt"])
    return format
  }

  static var amplitude: EventFormat {
    var format = EventFormat(.amplitude)
    format.places = [
      ["event"]: [["event_type"]],
      // In Fivetran's tables no name begins with a dollar sign.
      ["message_id"]: [["$insert_id"], ["_insert_id"], ["insert_id"], ["uuid"]],
      ["user_id"]: [["user_id"]],
      ["device_id"]: [["device_id"]],
      ["session_id"]: [["session_id"]],
      // What is sent to Amplitude has `time` and `app_version`.
      ["timestamp"]: [["event_time"], ["time"]],
      ["context", "app_version"]: [["version_name"], ["app_version"]],
      ["context", "os"]: [["os_name", both]],
      ["context", "locale"]: [["language"]],
      ["context", "device_model"]: [["device_model"], ["device_type"]],
    ]
    // What a server sends is of no session.
    format.silent = [["session_id"]: ["-1"]]
    format.properties = [["event_properties"], ["user_properties"]]
    format.variantPrefixes = [(["user_properties"], "[Experiment] ")]
    format.joined = [(["os_name"], ["os_version"])]
    format.clock = ClockCorrection(
      original: ["client_event_time"], sent: ["client_upload_time"],
      received: ["server_received_time"])
    format.mergeMark = ["merged_amplitude_id"]
    format.timesAreUTC = true
    return format
  }

  static var mixpanel: EventFormat {
    var format = EventFormat(.mixpanel)
    format.places = [
      ["event"]: [["event"]],
      ["message_id"]: [["properties", "$insert_id"]],
      ["user_id"]: [["properties", "$user_id"]],
      ["device_id"]: [["properties", "$device_id"]],
      ["session_id"]: [["properties", "session_id"], ["properties", "$session_id"]],
      ["timestamp"]: [["properties", "time"]],
      ["context", "app_version"]: [
        ["properties", "$app_version_string"], ["properties", "$app_version"],
      ],
      ["context", "os"]: [["properties", "$os", both]],
      ["context", "locale"]: [["properties", "locale"], ["properties", "$locale"]],
      ["context", "device_model"]: [["properties", "$model"]],
    ]
    format.joined = [(["properties", "$os"], ["properties", "$os_version"])]
    format.mixedIdentity = MixedIdentity(
      distinct: [["properties", "distinct_id"]], devicePrefix: "$device:",
      before: [["properties", "$distinct_id_before_identity"]])
    format.alias = AliasCalls(
      name: [["event"]], names: ["$identify", "$create_alias", "$merge"],
      users: [["properties", "$identified_id"]], devices: [["properties", "$anon_id"]],
      others: [["properties", "alias"]], lists: [["properties", "$distinct_ids"]])
    return format
  }

  static var posthog: EventFormat {
    var format = EventFormat(.posthog)
    format.places = [
      ["event"]: [["event"]],
      ["message_id"]: [["uuid"]],
      ["user_id"]: [["properties", "$user_id"]],
      ["device_id"]: [["properties", "$anon_distinct_id"], ["properties", "$device_id"]],
      ["session_id"]: [["properties", "$session_id"]],
      ["timestamp"]: [["timestamp"]],
      ["context", "app_version"]: [["properties", "$app_version"]],
      ["context", "os"]: [["properties", "$os_name", both], ["properties", "$os", both]],
      ["context", "locale"]: [["properties", "$locale"]],
      ["context", "device_model"]: [["properties", "$device_model"]],
    ]
    format.variantPrefixes = [(["properties"], "$feature/")]
    format.embedded = [["properties"]]
    format.joined = [
      (["properties", "$os_name"], ["properties", "$os_version"]),
      (["properties", "$os"], ["properties", "$os_version"]),
    ]
    format.mixedIdentity = MixedIdentity(
      // What is sent to PostHog may have it among the properties.
      distinct: [["distinct_id"], ["properties", "distinct_id"]],
      isIdentified: [["properties", "$is_identified"]],
      // `identify` of posthog-js registers `$user_id`, and `reset` takes it away.
      library: [["properties", "$lib"]], libraryWithUsers: "web")
    format.alias = AliasCalls(
      name: [["event"]], names: ["$create_alias", "$merge_dangerously"],
      others: [["properties", "alias"]])
    format.timesAreUTC = true
    return format
  }

  static var ga4: EventFormat {
    var format = EventFormat(.ga4)
    format.places = [
      ["event"]: [["event_name"]],
      ["message_id"]: [["event_params", "message_id"], ["batch_event_index", both]],
      ["user_id"]: [["user_id"]],
      ["device_id"]: [["user_pseudo_id"]],
      ["session_id"]: [["event_params", "session_id"], ["event_params", "ga_session_id"]],
      ["timestamp"]: [["event_timestamp"]],
      ["context", "app_version"]: [["app_info", "version"]],
      ["context", "os"]: [["device", "operating_system", both]],
      ["context", "locale"]: [["device", "language"]],
      ["context", "device_model"]: [
        ["device", "mobile_os_hardware_model"], ["device", "mobile_model_name"],
      ],
    ]
    // Which page of the device, which of its requests, and which event of the request.
    format.messageParts = [
      ["user_pseudo_id"], ["batch_page_id"], ["batch_ordering_id"], ["batch_event_index"],
    ]
    format.properties = [["event_params"], ["user_properties"]]
    format.lists = [["event_params"], ["user_properties"]]
    format.joined = [
      (["device", "operating_system"], ["device", "operating_system_version"])
    ]
    return format
  }

  /// mParticle's batches, which `SharedBatch` takes apart: what a batch says of all its events
  /// stands in `batch`. Views of screens and the SDK's own events are called by their type.
  static var mparticle: EventFormat {
    var format = EventFormat(.mparticle)
    let device = ["batch", "device_info"]
    format.places = [
      ["event"]: [["data", "event_name"], ["event_type"]],
      ["message_id"]: [["data", "source_message_id"], ["data", "event_id"]],
      ["user_id"]: [["batch", "user_identities", "customer_id"]],
      ["device_id"]: [["batch", "mp_deviceid"], ["batch", "mpid"]],
      ["session_id"]: [["data", "session_uuid"], ["data", "session_id"]],
      ["timestamp"]: [["data", "timestamp_unixtime_ms"], ["batch", "timestamp_unixtime_ms"]],
      ["context", "app_version"]: [["batch", "application_info", "application_version"]],
      ["context", "os"]: [device + ["platform", both]],
      ["context", "locale"]: [device + ["locale_language"]],
      ["context", "device_model"]: [device + ["device_model"]],
    ]
    format.silent = [["event_type"]: ["custom_event"]]
    // An object in what is sent to mParticle, a list in what it forwards.
    format.lists = [["batch", "user_identities"]]
    format.properties = [["data", "custom_attributes"], ["data"], ["batch", "user_attributes"]]
    format.joined = [(device + ["platform"], device + ["os_version"])]
    return format
  }

  /// Braze's Currents, as they lie in buckets: custom events have a name, all others a type, which
  /// may stand in the names of folders alone (`event_type=users.behaviors.app.SessionStart`).
  static var braze: EventFormat {
    var format = EventFormat(.braze)
    format.places = [
      ["event"]: [["name"], ["properties", "name"], ["event_type"]],
      ["message_id"]: [["id"]],
      ["user_id"]: [["external_user_id"], ["user", "external_user_id"]],
      // Braze's own id of a profile is there before there is a user's.
      ["device_id"]: [
        ["user_id"], ["user", "user_id"], ["device_id"], ["user", "device_id"],
      ],
      ["session_id"]: [["session_id"], ["properties", "session_id"]],
      ["timestamp"]: [["time"]],
      ["context", "app_version"]: [["app_version"], ["properties", "app_version"]],
      ["context", "os"]: [["platform", both], ["properties", "platform", both]],
      ["context", "device_model"]: [["device_model"], ["properties", "device_model"]],
    ]
    format.properties = [["properties", "custom_properties"], ["properties"], []]
    format.joined = [
      (["platform"], ["os_version"]), (["properties", "platform"], ["properties", "os_version"]),
    ]
    format.timesAreUTC = true
    return format
  }
}
