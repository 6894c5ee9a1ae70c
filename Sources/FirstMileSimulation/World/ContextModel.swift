import FlowDefinition

/// The context of an event: five or more fields of device and app, with the values people have.
struct ContextModel: Sendable {
  struct Field: Sendable {
    /// The keys from the event's root; the first is `context`, or there is only one.
    var path: [String]
    var values: [String]
    var cumulated: [Double]
    /// Only lines of a known user have it.
    var isKnownLater = false
    /// The field that the value follows from, and the code by that field's code.
    var derivedFrom: (field: Int, codes: [UInt8])?
  }

  /// A code of this value is a missing field.
  static let missing: UInt8 = 255
  /// At most 16: a person's codes are one SIMD value.
  private(set) var fields: [Field] = []
  /// By dimension of the flow: its field, or `nil` where its path lies outside the context.
  private(set) var dimensionFields: [Int?] = []
  /// The app's version is that of the newest release at entry, not drawn.
  private(set) var hasReleases = false
  /// The field of the app's version.
  static let appVersion = 0

  init(_ flow: Flow, _ profile: Profile) {
    let base = ["app_version", "os", "locale", "device_model"]
    hasReleases = !profile.dayHabits.releases.isEmpty
    let own = flow.dimensions.map { $0.path.split(separator: ".").map(String.init) }
    for id in base { add(["context", id], id, profile) }
    for (dimension, path) in zip(flow.dimensions, own) {
      if let known = fields.firstIndex(where: { $0.path == path }) {
        dimensionFields.append(known)
      } else if path.first == "context", (2...3).contains(path.count), fields.count < 16 {
        dimensionFields.append(fields.count)
        add(path, dimension.id, profile)
        fields[fields.count - 1].isKnownLater = dimension.isKnownLater
      } else {
        dimensionFields.append(nil)
      }
    }
    if fields.count == base.count { add(["context", "network"], "network", profile) }
  }

  private mutating func add(_ path: [String], _ id: String, _ profile: Profile) {
    if let derived = profile.derived[id] { return addDerived(path, derived) }
    var values = profile.dimensions[id] ?? ContextModel.usual[id] ?? ContextModel.guess(id)
    if path == ["context", "app_version"], hasReleases {
      values = profile.dayHabits.releases.map { ($0.appVersion, 1) }
    }
    var total = 0.0
    let cumulated = values.map { value in
      total += value.weight
      return total
    }
    fields.append(Field(path: path, values: values.map(\.value), cumulated: cumulated))
  }

  private mutating func addDerived(_ path: [String], _ derived: DerivedDimension) {
    let from = fields.firstIndex { $0.path.last == derived.from } ?? 0
    let found = fields[from].values.map { derived.values[$0] ?? derived.usual }
    var values = [derived.usual]
    for value in found where !values.contains(value) { values.append(value) }
    let codes = found.map { UInt8(truncatingIfNeeded: values.firstIndex(of: $0) ?? 0) }
    fields.append(
      Field(path: path, values: values, cumulated: [], derivedFrom: (from, codes)))
  }

  func draw(_ random: inout RandomSource) -> SIMD16<UInt8> {
    var codes = SIMD16<UInt8>(repeating: ContextModel.missing)
    for (index, field) in fields.enumerated() {
      if let (from, derived) = field.derivedFrom {
        let code = Int(codes[from])
        if code < derived.count { codes[index] = derived[code] }
        continue
      }
      let code = random.index(cumulated: field.cumulated)
      codes[index] = random.chance(0.01) ? ContextModel.missing : UInt8(truncatingIfNeeded: code)
    }
    return codes
  }

  private static func guess(_ id: String) -> [(value: String, weight: Double)] {
    let words = ["reduce", "is_", "has_", "voice", "bold", "contrast", "enabled"]
    return words.contains { id.contains($0) }
      ? [("false", 9), ("true", 1)] : [("standard", 6), ("other", 3), ("rare", 1)]
  }

  private static let usual: [String: [(value: String, weight: Double)]] = [
    "app_version": [("1.4.2", 5), ("1.4.1", 3), ("1.3.0", 2)],
    "os": [("iOS 26.1", 6), ("iOS 26.0", 3), ("iOS 18.7", 2), ("Android 16", 2)],
    "locale": [("en_US", 5), ("de_DE", 2), ("fr_FR", 1), ("ja_JP", 1), ("pt_BR", 1)],
    "device_model": [
      ("iPhone17,2", 4), ("iPhone16,1", 3), ("iPhone15,4", 2), ("iPad14,3", 1), ("Pixel 10", 1),
    ],
    "network": [("wifi", 7), ("cellular", 3)],
    "platform": [("ios", 4), ("android", 1)],
  ]
}
