internal import FlowDefinition
internal import Foundation
internal import FunnelEngine

/// Why a file is no baseline.
public struct BaselineError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

extension Baseline {
  static let schemas = ["firstmile.baseline/1", "firstmile.metrics/1"]

  /// Reads what `check --accept` wrote, or the `metrics.json` of a report.
  ///
  /// - Throws: `BaselineError`, with what is wrong, for anything else.
  public init(json bytes: [UInt8], name: String) throws(BaselineError) {
    let file: BaselineFile
    do {
      file = try JSONDecoder().decode(BaselineFile.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted {
      throw BaselineError(description: "\(name): not JSON")
    } catch DecodingError.keyNotFound(let key, _) {
      throw BaselineError(
        description: "\(name): no baseline: '\(key.stringValue)' is missing; "
          + "a metrics.json is needed, or what check --accept writes")
    } catch {
      throw BaselineError(
        description: "\(name): no baseline: a metrics.json is needed, or what check --accept writes"
      )
    }
    guard Baseline.schemas.contains(file.schema) else {
      throw BaselineError(
        description: "\(name): its schema is '\(SafeText.name(file.schema))'; allowed are "
          + Baseline.schemas.joined(separator: " and "))
    }
    self.init(
      name: name, flow: file.flow.id, semanticsVersion: file.semantics_version,
      choices: file.choices, horizonMilliseconds: file.horizon.flatMap(InstantReader.milliseconds),
      fingerprints: Dictionary(
        file.metric_fingerprints.map {
          (Name(metric: $0.metric, step: $0.step ?? "all"), $0.fingerprint)
        }, uniquingKeysWith: { first, _ in first }),
      rows: file.metrics.rows.map(\.row))
  }
}

/// What is read of the file; the names are those of its keys.
private struct BaselineFile: Decodable {
  struct FlowName: Decodable { var id: String }
  struct Fingerprint: Decodable {
    var metric: String
    var step: String?
    var fingerprint: String
  }
  struct Metrics: Decodable { var rows: [Row] }
  struct Row: Decodable {
    var version: String?
    var experiment: String?
    var variant: String?
    var cohort: String?
    var breakdown: String?
    var metric: String
    var step: String?
    var numerator: Int?
    var denominator: Int?
    var value: Double?
    var ci_low: Double?
    var ci_high: Double?
    var unit: String

    var row: MetricRow {
      var cut = BreakdownKey.all
      if let cohort { cut = BreakdownKey(dimension: BreakdownKey.cohort, value: cohort) }
      if let breakdown, let equals = breakdown.firstIndex(of: "=") {
        cut = BreakdownKey(
          dimension: String(breakdown[..<equals]),
          value: String(breakdown[breakdown.index(after: equals)...]))
      }
      // Six digits of a rate are fewer than its counts hold.
      let exact = denominator.flatMap { denominator in
        denominator > 0 ? numerator.map { Double($0) / Double(denominator) } : nil
      }
      return MetricRow(
        slice: Slice(
          version: version ?? "all", experiment: experiment ?? "all", variant: variant ?? "all",
          breakdown: cut), metric: metric, step: step ?? "all", numerator: numerator,
        denominator: denominator, value: exact ?? value ?? numerator.map(Double.init),
        low: ci_low, high: ci_high, unit: MetricRow.Unit(rawValue: unit) ?? .rate)
    }
  }
  var schema: String
  var semantics_version: Int
  var flow: FlowName
  var choices: String
  var horizon: String?
  var metric_fingerprints: [Fingerprint]
  var metrics: Metrics
}

/// The instants that `InstantText` writes.
enum InstantReader {
  /// Milliseconds since 1970 of `2026-07-03T23:59:00Z`, fractions left out; `nil` for other text.
  static func milliseconds(_ text: String) -> Int64? {
    let halves = text.split(separator: "T", maxSplits: 1)
    guard halves.count == 2, text.hasSuffix("Z") else { return nil }
    let date = halves[0].split(separator: "-").map { Int($0) }
    let time = halves[1].dropLast().prefix { $0 != "." }.split(separator: ":").map { Int($0) }
    guard date.count == 3, time.count == 3, let year = date[0], let month = date[1],
      let day = date[2], let hour = time[0], let minute = time[1], let second = time[2],
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilCalendar.dayNumber(year: year, month: month, day: day)
    return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
  }
}
