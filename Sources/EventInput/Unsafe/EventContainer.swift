/// How events are packed in a file of JSON that is not one event a line.
///
/// First the file is cut into pieces along `path`; then each piece may be an envelope, which is
/// opened on its own, so that one that is broken or of another kind costs no other.
struct EventContainer: Hashable {
  /// One level on the way to the pieces.
  enum Component: Hashable {
    /// Every item of an array.
    case each
    /// The member of an object with this key.
    case member(String)
    /// Each member of an object that wraps events, by these keys: there may be several.
    case wrappers([String])
  }

  /// The path from the file's root to each piece; empty for values one behind the other, `nil` for
  /// lines.
  var path: [Component]?
  /// Whether pieces are envelopes, or may be.
  var opensEnvelopes = false
}

extension EventContainer {
  /// What the beginning of a file shows.
  enum Finding: Equatable {
    /// One event a line, or no JSON: nothing to unpack.
    case lines
    case container(EventContainer)
    /// More of the file is needed.
    case open
  }

  /// Arrays of events under these keys, in an object that is no event itself.
  static let wrappers = ["results", "events", "batch"]

  /// Keys that hold much else as well: a list under one of them is one of events where its objects
  /// look like events.
  static let otherWrappers = ["data", "Records", "records", "items", "rows"]

  /// What services write beside such a list, on each of its pages.
  static let pageKeys: Set<String> = [
    "next", "next_page", "nextPage", "previous", "has_more", "hasMore", "cursor", "next_cursor",
    "page", "pages", "total", "count", "limit", "offset", "meta", "links", "paging", "pagination",
    "object", "status", "success", "error", "errors",
  ]

  /// Whether the keys of objects in a list are those of events.
  static func areOfEvents(_ keys: Set<String>) -> Bool {
    !keys.isDisjoint(with: ["event", "event_name", "event_type", "eventName", "event_text"])
      || keys.isSuperset(of: ["type", "messageId"])
  }

  /// Keys that name events: an object that has one is no wrapper, whatever else it has.
  static let eventKeys: Set<String> = ["event", "event_name", "event_type", "eventName", "name"]

  /// Keys of somebody's ids: an object that has one is an event, by whatever name a flow knows it,
  /// and a list in it is one of what the event is about.
  static let personKeys: Set<String> = [
    "user_id", "userId", "device_id", "deviceId", "anonymous_id", "anonymousId", "distinct_id",
    "client_id", "user_pseudo_id", "customer_user_id",
  ]

  /// What an object with a list of events in it may not have.
  static let ownKeys = eventKeys.union(personKeys)

  /// The keys that kcat and its like write around a message.
  static let kafkaKeys: Set<String> = [
    "topic", "partition", "offset", "tstype", "ts", "timestamp", "timestampType", "broker", "key",
    "payload", "value", "headers", "msg_type", "schema", "key_schema_id", "value_schema_id",
  ]

  /// The member or column that holds an event, among the keys that Airbyte's raw tables and kcat's
  /// messages have; `nil` of other keys.
  static func packedMember(of keys: Set<String>) -> String? {
    if keys.contains("_airbyte_data") {
      let isAirbyte = keys.contains { $0.hasPrefix("_airbyte_") && $0 != "_airbyte_data" }
      return isAirbyte ? "_airbyte_data" : nil
    }
    guard keys.contains("topic"), !keys.isDisjoint(with: ["partition", "offset"]),
      keys.isSubset(of: kafkaKeys)
    else { return nil }
    return keys.contains("payload") ? "payload" : "value"
  }

  /// The message types of Singer taps and Airbyte connectors.
  static let messageTypes: Set<String> = [
    "RECORD", "SCHEMA", "STATE", "ACTIVATE_VERSION", "BATCH", "LOG", "TRACE", "CATALOG", "SPEC",
    "CONTROL", "CONNECTION_STATUS",
  ]
  /// Singer's message that names files with further events: it is a reject, or nothing would say
  /// that they are missing.
  static let batchMessage = "BATCH"

  /// What the lines of Elasticsearch's bulk files do with the lines behind them, and what else such
  /// a line may say.
  static let bulkActions: Set<String> = ["index", "create", "update", "delete"]
  static let bulkKeys: Set<String> = [
    "_index", "_type", "_id", "_version", "version", "version_type", "routing", "_routing",
    "parent", "pipeline", "require_alias", "dynamic_templates", "if_seq_no", "if_primary_term",
    "retry_on_conflict", "op_type", "list_executed_pipelines",
  ]
  /// The documents in the answer to a search.
  static let searchHits: [Component] = [
    .member("hits"), .member("hits"), .each, .member("_source"),
  ]

  /// Looks at the beginning of a file.
  ///
  /// - Parameter isWhole: whether to decide by these bytes.
  static func detect(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Finding {
    var survey = unsafe ContainerSurvey(bytes)
    return survey.finding(isWhole: isWhole)
  }

  /// Whether one of the lines begins like an object or a list.
  static func hasObjects(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      let first = unsafe line.first { $0 > 0x20 }
      return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
  }
}

extension [EventContainer.Component] {
  /// The keys of the lists of events, where the objects at the root wrap such lists.
  var wrapperKeys: [String]? {
    if case .wrappers(let keys)? = first { keys } else { nil }
  }

  /// The items of lists under these keys.
  static func lists(_ keys: [String] = EventContainer.wrappers) -> Self {
    [.wrappers(keys), .each]
  }
}
