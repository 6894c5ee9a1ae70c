internal import Synchronization

/// Where sampled events of one format have their values, each place worked out once: drafts ask for
/// the same paths of every event.
final class FormatPlaces: Sendable {
  /// One place where a value may stand.
  struct Place: Sendable {
    let path: String
    /// A second path whose value belongs behind that of the first.
    var second: String?
    /// Values that are none.
    var silent: Set<String> = []
  }

  let format: EventFormat
  /// What stands before the names of properties, the likeliest place last.
  let propertyPrefixes: [String]
  /// What stands before the names of experiments.
  let variantPrefixes: [String]
  /// Fields of the event itself that stand where properties do.
  let known: Set<String>
  /// What schemas describe.
  let described: DescribedNames
  /// Of the paths that every event is asked for: threads that read events share no lock for these.
  private let usual: [String: [Place]]
  private let places = Mutex<[String: [Place]]>([:])

  private static let ofFormats = Mutex<[EventFormat: FormatPlaces]>([:])

  private init(_ format: EventFormat) {
    self.format = format
    propertyPrefixes = format.properties.reversed().map { $0.map { $0 + "." }.joined() }
    variantPrefixes = Self.variantPrefixes(format)
    let columns = Set(format.places.values.joined().filter { $0.count == 1 }.map { $0[0] })
    known = format.name == .canonical ? EventFormat.rootFields : columns
    described = DescribedNames.of(format.name)
    let paths = ["event", "timestamp", "device_id", "user_id"]
    usual = Dictionary(uniqueKeysWithValues: paths.map { ($0, Self.places(of: $0, in: format)) })
  }

  private static func variantPrefixes(_ format: EventFormat) -> [String] {
    let own = format.variantPrefixes.map {
      ($0.container + [$0.prefix]).joined(separator: ".")
    }
    if format.name == .canonical { return own + ["experiments."] }
    let isFlat = format.properties.contains(where: format.lists.contains) || format.joinsNames
    return own
      + format.properties.map {
        $0.map { $0 + "." }.joined() + (isFlat ? "experiments_" : "experiments.")
      }
  }

  static func of(_ format: EventFormat) -> FormatPlaces {
    ofFormats.withLock { known in
      if let places = known[format] { return places }
      let made = FormatPlaces(format)
      known[format] = made
      return made
    }
  }

  /// Where the value of a canonical path may stand, the likeliest place first.
  func places(of path: String) -> [Place] {
    if let found = usual[path] { return found }
    return places.withLock { known in
      if let found = known[path] { return found }
      let made = Self.places(of: path, in: format)
      known[path] = made
      return made
    }
  }

  private static func places(of path: String, in format: EventFormat) -> [Place] {
    format.paths(for: path.split(separator: ".").map(String.init)).map { place($0, in: format) }
  }

  private static func place(_ path: [String], in format: EventFormat) -> Place {
    guard path.last == "+" else {
      return Place(path: path.joined(separator: "."), silent: format.silent[path] ?? [])
    }
    let first = Array(path.dropLast())
    let second = format.joined.first { $0.first == first }?.second.joined(separator: ".")
    return Place(path: first.joined(separator: "."), second: second ?? "")
  }

  /// The first value that there is.
  func value(_ path: String, in scalars: [String: String]) -> String? {
    for place in places(of: path) {
      guard let value = scalars[place.path], !place.silent.contains(value) else { continue }
      guard let second = place.second else { return value }
      return scalars[second].map { "\(value) \($0)" } ?? value
    }
    return nil
  }
}
