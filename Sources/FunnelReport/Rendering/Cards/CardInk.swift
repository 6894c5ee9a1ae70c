internal import ReportFindings

/// The colours of a card. Each shape has its light colour as an attribute, which every program that
/// draws SVG understands, and a class that a style sheet gives the dark one, for those that know
/// what the reader prefers.
enum CardInk: String, CaseIterable {
  case paper, edge, ink, soft, track, bar, marked, alarm, bad, good, neutral

  private var colors: (light: String, dark: String) {
    switch self {
    case .paper: ("#ffffff", "#191b1f")
    case .edge: ("#d8d8d2", "#3a3e46")
    case .ink: ("#1b1d22", "#ebecef")
    case .soft: ("#555a65", "#a9aeb9")
    case .track: ("#eeeeea", "#25282e")
    case .bar: ("#8fa9e3", "#4a66ab")
    case .marked: ("#2a56bd", "#86a9ff")
    case .alarm: ("#a8201a", "#ff8d85")
    case .bad: ("#a84a00", "#f0a35e")
    case .good: ("#0c6f66", "#58c4b8")
    case .neutral: ("#2a56bd", "#86a9ff")
    }
  }

  var light: String { colors.light }
  var name: String { "c-\(rawValue)" }

  static func of(_ tone: Finding.Tone) -> CardInk {
    switch tone {
    case .alarm: .alarm
    case .bad: .bad
    case .good: .good
    case .neutral: .neutral
    }
  }

  static let styleSheet: String = {
    let rules = allCases.map { ".\($0.name){fill:\($0.colors.dark)}" }
    return "@media (prefers-color-scheme:dark){" + rules.joined() + "}"
  }()
}
