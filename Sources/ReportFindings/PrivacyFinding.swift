internal import ReportText
internal import FunnelMetrics

/// Properties that look like personal text, in one finding. It is about what is sent and not about
/// the numbers, so it stands below what is said about people.
struct PrivacyFinding {
  let properties: [PersonalText]

  private static let shownProperties = 3

  func draft() -> FindingDraft? {
    guard let first = properties.first else { return nil }
    let shown = properties.prefix(Self.shownProperties).map {
      "\($0.shownPath) looks like \($0.looksLike)"
    }
    let more = properties.count - shown.count
    let rest = more == 0 ? "" : " and \(NumberText.grouped(more)) more (see firstmile validate)"
    let advice =
      properties.count == 1
      ? first.advice.capitalizedFirst
      : "Stop sending what no number needs, or drop it with redact: in the flow file"
    return FindingDraft(
      kind: .personalText, tone: .neutral,
      claim: "Personal data may be among what the app sends:",
      detail: """
        \(shown.joined(separator: ", "))\(rest), in a sample of \
        \(NumberText.grouped(first.sampledEvents)) events. \(advice).
        """)
  }
}
