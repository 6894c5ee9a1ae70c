/// The rows of one decision.
struct Section: Sendable {
  let title: String
  /// How it was simulated, and what the columns mean.
  let method: String
  /// The heading of the column with what another method gives; nil where no row has one.
  let otherHeading: String?
  /// Each row by itself, so that rows can be computed side by side.
  let rows: [@Sendable () -> Row]

  init<Setting: Sendable>(
    title: String, method: String, otherHeading: String? = nil, settings: [Setting],
    row: @escaping @Sendable (Setting) -> Row
  ) {
    self.title = title
    self.method = method
    self.otherHeading = otherHeading
    rows = settings.map { setting in { row(setting) } }
  }

  func markdown(_ rows: [Row]) -> String {
    var lines = ["## \(title)", "", method, ""]
    let other = otherHeading.map { " \($0) |" } ?? ""
    lines.append("| setting | runs | promised | found |\(other) kept |")
    lines.append("|---|--:|--:|--:|\(other.isEmpty ? "" : "--:|")---|")
    for row in rows {
      let sign =
        switch row.promise {
        case .atMost: "≤ "
        case .atLeast: "≥ "
        case .announced: ""
        }
      let beside = otherHeading == nil ? "" : " \(row.other.map(Self.percent) ?? "") |"
      lines.append(
        "| \(row.setting) | \(row.runs) | \(sign)\(Self.percent(row.promised)) |"
          + " \(Self.percent(row.found)) |\(beside) \(row.isKept ? "yes" : "**no**") |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Two decimals, without a locale.
  static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded()).magnitude
    let decimals = hundredths % 100
    let sign = share < 0 && hundredths > 0 ? "-" : ""
    return "\(sign)\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals) %"
  }
}
