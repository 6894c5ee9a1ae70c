import FlowDefinition

/// The pieces of lines that never change, as bytes, made once for a run.
struct LineTables: Sendable {
  /// `"flow":"…","flow_version":"…"` by version, with the comma before.
  var flows: [[UInt8]]
  /// By combination of variants: what names them, with the comma before.
  var variants: [[UInt8]]
  /// The columns as a map.
  var variantMaps: [[UInt8]]
  /// By combination: the combination that a contaminated person's other events name.
  var others: [Int]
  /// `"page_name":"…"` by step.
  var pages: [[UInt8]]
  var pageNames: [[UInt8]]
  var items: [[UInt8]]
  var permissions: [[UInt8]]
  var statuses: [[UInt8]]
  /// `name","` …: the event's name, and its properties, by template.
  var templateNames: [[UInt8]]
  var templateProperties: [[UInt8]]
  /// The flow of an event that belongs to another one, with the comma before.
  var templateFlows: [[UInt8]]
  var activityNames: [[UInt8]]
  /// Bytes before each context field's value, and after the last.
  var contextBefore: [[UInt8]]
  var contextAfter: [UInt8]
  var contextValues: [[[UInt8]]]
  /// By field: whether only lines of a known user have it.
  var isKnownLater: [Bool]

  init(_ world: World) {
    let flow = world.flow
    flows = world.versions.map { version in
      let named = version.name.map { ",\"flow_version\":\(LineTables.quoted($0))" } ?? ""
      return Array(",\"flow\":\(LineTables.quoted(flow.id))\(named)".utf8)
    }
    variants = world.combinations.map { LineTables.variants(flow, $0, asMap: false) }
    variantMaps = world.combinations.map { LineTables.variants(flow, $0, asMap: true) }
    others = world.combinations.map { combination in
      let other = zip(flow.experiments, combination).map { ($1 + 1) % $0.variants.count }
      return world.combinations.firstIndex(of: other) ?? 0
    }
    pages = flow.steps.map { Array("\"page_name\":\(LineTables.quoted($0.id))".utf8) }
    pageNames = flow.steps.map { Array(LineTables.quoted($0.id).utf8) }
    items = world.items.map { Array(LineTables.quoted($0).utf8) }
    permissions = flow.permissions.map { Array(LineTables.quoted($0).utf8) }
    statuses = PermissionStatus.names.map { Array($0.utf8) }
    let templates = world.happenings.table.templates
    templateNames = templates.map { Array(LineTables.quoted($0.event).utf8) }
    templateProperties = templates.map { template in
      let pairs = template.properties.map {
        "\(LineTables.quoted($0.name)):\(LineTables.scalar($0.value))"
      }
      return Array(pairs.joined(separator: ",").utf8)
    }
    templateFlows = templates.map { template in
      template.flow.map { Array(",\"flow\":\(LineTables.quoted($0))".utf8) } ?? []
    }
    isKnownLater = world.context.fields.map(\.isKnownLater)
    activityNames = world.names.names.map { Array(LineTables.quoted($0).utf8) }
    contextValues = world.context.fields.map { field in
      field.values.map { Array(LineTables.scalar($0).utf8) }
    }
    (contextBefore, contextAfter) = LineTables.context(world.context.fields.map(\.path))
  }

  /// What stands between the values of the context; fields of one inner object stand together.
  private static func context(_ paths: [[String]]) -> (before: [[UInt8]], after: [UInt8]) {
    var before: [[UInt8]] = []
    var open: String?
    for (index, path) in paths.enumerated() {
      let inner = path.count == 3 ? path[1] : nil
      var text = index == 0 ? ",\"context\":{" : ""
      if inner != open, open != nil { text += "}" }
      if index > 0 { text += "," }
      if let inner, inner != open { text += "\(quoted(inner)):{" }
      open = inner
      before.append(Array("\(text)\(quoted(path[path.count - 1])):".utf8))
    }
    return (before, Array((open == nil ? "}}" : "}}}").utf8))
  }

  private static func variants(_ flow: Flow, _ combination: [Int], asMap: Bool) -> [UInt8] {
    let pairs = zip(flow.experiments, combination).map { ($0.id, $0.variants[$1].id) }
    guard let first = pairs.first else { return [] }
    if pairs.count == 1, !asMap {
      return Array(
        ",\"experiment\":\(quoted(first.0)),\"variant\":\(quoted(first.1))".utf8)
    }
    let map = pairs.map { "\(quoted($0.0)):\(quoted($0.1))" }.joined(separator: ",")
    return Array(",\"experiments\":{\(map)}".utf8)
  }

  /// Booleans and whole numbers as such, all else as a string.
  static func scalar(_ value: String) -> String {
    let isNumber = value.utf8.count < 10 && Int(value).map(String.init) == value
    return value == "true" || value == "false" || isNumber ? value : quoted(value)
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..."\u{1F}":
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
