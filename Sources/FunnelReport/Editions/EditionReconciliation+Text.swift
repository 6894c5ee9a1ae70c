internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension EditionReconciliation {
  private static let notes = [
    "Not compared: what semantics 3 and 4 changed (docs/upgrading.md), which both sides read as",
    "reports do now; devices that change hands (3.2), which both read as semantics 2 does; and",
    "what only semantics 2 has, such as rates of everyone assigned (6.8), time to move on (10.2).",
  ]
  private static let contaminationNote = [
    "Semantics 1 left out people with several variants by default. If the flow file said",
    "'contaminated: first' then, too, that rule changed nothing.",
  ]

  /// The page for a terminal.
  public func text() -> String {
    var lines = ["\(flow.id): semantics 1 against semantics 2 (docs/definitions.md)", ""]
    if rows.isEmpty { lines += ["On this data the two make no difference to these numbers.", ""] }
    for row in rows {
      lines.append(
        "\(row.words): \(Self.value(row.first, row)) -> \(Self.value(row.second, row)), "
          + Self.signed(row.difference, row))
      for part in row.parts {
        lines.append(
          "  \(Self.signed(part.difference, row))  \(part.change.words) (\(part.change.section))")
      }
      lines.append("")
    }
    if furtherRows > 0 {
      lines += ["\(CountText.of(furtherRows, "number")) more with smaller differences.", ""]
    }
    if changes.count > 1 {
      lines +=
        isShapley
        ? [
          "Where several rules move a number, each has its mean effect over all orders in which",
          "they can be changed (Shapley values).", "",
        ]
        : [
          "The rules were changed one after the other, in the order of their list in",
          "docs/funnels.md: another order can divide a difference in another way.", "",
        ]
    }
    if changes.contains(.firstVariantHolds) { lines += Self.contaminationNote }
    lines += Self.notes
    return lines.map { SafeText.name($0, limit: 400) }.joined(separator: "\n") + "\n"
  }

  private static func value(_ value: Int, _ row: Row) -> String {
    row.isRate ? "\(points(value)) %" : NumberText.grouped(value)
  }

  private static func signed(_ value: Int, _ row: Row) -> String {
    let sign = value > 0 ? "+" : value < 0 ? "-" : ""
    return sign + (row.isRate ? "\(points(abs(value))) points" : people(abs(value)))
  }

  private static func people(_ count: Int) -> String {
    "\(NumberText.grouped(count)) \(count == 1 ? "person" : "people")"
  }

  /// Hundredths of a point as points; every digit is kept, so sums hold as printed.
  private static func points(_ value: Int) -> String {
    let rest = value % 100
    return "\(value / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// The reconciliation as JSON, for programs.
  public func json() -> String {
    let objects = rows.map { row in
      JSONText.object([
        ("metric", JSONText.string(row.metric.rawValue)), ("step", JSONText.string(row.step)),
        ("experiment", JSONText.string(row.slice.experiment)),
        ("variant", JSONText.string(row.slice.variant)),
        ("breakdown", JSONText.string(row.slice.breakdownText)),
        ("unit", JSONText.string(row.isRate ? "basis_points" : "persons")),
        ("first", "\(row.first)"), ("second", "\(row.second)"),
        ("difference", "\(row.difference)"),
        (
          "rules",
          JSONText.array(
            row.parts.map { part in
              JSONText.object([
                ("rule", JSONText.string(part.change.name)),
                ("section", JSONText.string(part.change.section)),
                ("difference", "\(part.difference)"),
              ])
            })
        ),
      ])
    }
    return JSONText.block(
      [
        ("schema", "1"), ("flow", JSONText.string(flow.id)), ("first", "1"), ("second", "2"),
        ("method", JSONText.string(isShapley ? "shapley" : "successive")),
        ("rules", JSONText.array(changes.map { JSONText.string($0.name) })),
        ("further", "\(furtherRows)"), ("numbers", JSONText.lines(objects, indent: "  ")),
      ], indent: "") + "\n"
  }
}
