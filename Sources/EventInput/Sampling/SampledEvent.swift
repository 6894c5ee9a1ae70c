/// One event of a dump that nobody has described yet, seen through its format.
public struct SampledEvent: Sendable {
  /// The format that the event was read as.
  public var format: EventFormat.Name { places.format.name }
  private let places: FormatPlaces
  /// All scalars by path, as the dump has them.
  public private(set) var scalars: [String: String]
  /// The event's name.
  public let event: String
  /// Milliseconds since 1970.
  public let timeMilliseconds: Int64
  /// Who it was: the device, or the user where there is none; the user of the device once
  /// `SampledPeople` has found one.
  public internal(set) var person: String
  /// The user that the event names, if it names one.
  let user: String?
  /// Whether the event has a user's id, or one that may be a user's.
  public let hasUser: Bool
  /// Whether the event has a device's id, or one that may be a device's.
  public let hasDevice: Bool

  init?(_ scalars: [String: String], format: EventFormat, times: inout TimestampReader) {
    let places = FormatPlaces.of(format)
    func value(_ path: String) -> String? { places.value(path, in: scalars) }
    func present(_ id: String?) -> String? {
      id.map(format.identifier).flatMap { IdentifierKey.isMissing($0) ? nil : $0 }
    }
    let distinct = (format.mixedIdentity?.distinct ?? []).lazy.compactMap {
      present(scalars[$0.joined(separator: ".")])
    }.first
    let (device, user) = (present(value("device_id")), present(value("user_id")))
    let clock = format.clock.flatMap { scalars[$0.original.joined(separator: ".")] }
    let unnamed =
      format.namesCallsByColumns ? "\(SegmentTable.call { scalars[$0] != nil })" : nil
    guard let event = value("event") ?? unnamed, let text = value("timestamp") ?? clock,
      let time = times.milliseconds(of: text),
      let person = device ?? user ?? distinct
    else { return nil }
    self.places = places
    self.scalars = scalars
    self.event = event
    timeMilliseconds = time
    self.person = person
    self.user = user
    // A `distinct_id` may be either, and is one person's.
    hasUser = distinct != nil || user != nil
    hasDevice = distinct != nil || device != nil
  }

  /// Puts another text in the place of a value.
  public mutating func replace(_ path: String, with text: String) { scalars[path] = text }

  /// The value at a canonical path, where this format has it.
  public func value(_ path: String) -> String? { places.value(path, in: scalars) }

  /// The event's properties by name, inner names with dots; and those of the entities that were
  /// sent with it, by their paths.
  public var properties: [String: String] {
    var found: [String: String] = [:]
    for prefix in places.propertyPrefixes {
      for (path, value) in scalars where path.hasPrefix(prefix) && !places.known.contains(path) {
        if prefix.isEmpty && !isColumn(path) { continue }
        found[String(path.dropFirst(prefix.count))] = value
      }
    }
    return found
  }

  /// Whether a value may be that of a row's own column, and not of one that holds properties or
  /// what a schema describes.
  private func isColumn(_ path: String) -> Bool {
    if places.described.holds(path) { return places.described.isEntity(path) }
    // Beside the name of an event there are its context and experiments, too.
    let isCanonical = places.format.name == .canonical
    if isCanonical, path.hasPrefix("context.") || path.hasPrefix("experiments.") { return false }
    return !places.propertyPrefixes.contains { !$0.isEmpty && path.hasPrefix($0) }
  }

  /// By which path a flow file names one of the properties.
  public func path(ofProperty name: String) -> String {
    isOfEntity(name) ? name : "properties.\(name)"
  }

  /// Whether one of the properties is that of an entity.
  public func isOfEntity(_ name: String) -> Bool { places.described.isEntity(name) }

  /// The crawler that the event's values name.
  func crawler(_ search: inout CrawlerSearch) -> String? { search.crawler(in: scalars) }

  /// What stands in `context`, by its path from the event's root.
  public var context: [String: String] { scalars.filter { $0.key.hasPrefix("context.") } }

  /// Variants by experiment, however the format names them.
  public var variants: [String: String] {
    var found: [String: String] = [:]
    if let experiment = value("experiment"), let variant = value("variant") {
      found[experiment] = variant
    }
    for prefix in places.variantPrefixes {
      for (path, value) in scalars where path.hasPrefix(prefix) {
        found[String(path.dropFirst(prefix.count))] = value
      }
    }
    return found
  }
}
