public import FlowDefinition
public import FunnelEngine
public import FunnelMetrics

/// What the second edition of the definitions changed against the first on one set of data, and
/// which of its rules did.
public struct EditionReconciliation: Sendable {
  /// Counts the same facts for a flow, with some rules as the first edition had them.
  public typealias Counting = (Flow, Set<ChangedRule>) async throws -> Tally

  /// What one change of the rules does to a number.
  public struct Part: Sendable, Hashable {
    /// The change of the rules.
    public var change: EditionChange
    /// People, or hundredths of a point.
    public var difference: Int
  }

  /// A number that differs. All its values are whole people, or hundredths of a point for a rate,
  /// so that the parts add up to the difference exactly.
  public struct Row: Sendable, Hashable {
    /// The number's name, as in `metrics.csv`.
    public var metric: MetricName
    /// The step, goal, permission …; `all` where the metric has none.
    public var step: String
    /// The persons it is about.
    public var slice: Slice
    /// What the number is, for readers: `people who entered`.
    public var words: String
    /// Whether it is a rate, in hundredths of a point; else it counts people.
    public var isRate: Bool
    /// The number by the first edition.
    public var first: Int
    /// The number by the second edition.
    public var second: Int
    /// Largest first.
    public var parts: [Part]

    /// Second − first; what all parts add up to.
    public var difference: Int { second - first }
  }

  /// So many numbers are listed; the rest is only counted.
  public static let maximumRows = 12
  /// As many changes divide a difference by Shapley values, which takes 2^5 countings. More are
  /// made one after the other.
  private static let shapleyLimit = 5

  /// The flow as the second edition counts it.
  public let flow: Flow
  /// Largest difference first, at most ``maximumRows``.
  public let rows: [Row]
  /// How many more numbers differ.
  public let furtherRows: Int
  /// The changes that move any number.
  public let changes: [EditionChange]
  /// Whether the parts are Shapley values, which depend on no order of the changes.
  public let isShapley: Bool

  /// Counts the facts by both editions, and by mixtures of them until each change has its part.
  ///
  /// - Parameter count: is asked once for each mixture of rules.
  /// - Throws: what `count` throws.
  public init(_ flow: Flow, count: @escaping Counting) async throws {
    self.flow = flow
    func numbers(_ made: Set<EditionChange>) async throws -> HeadlineNumbers {
      let undone = EditionChange.undoing(allBut: made, in: flow)
      return HeadlineNumbers(try await count(undone.flow, undone.oldRules), undone.flow)
    }
    let all = EditionChange.all(flow)
    let (first, second) = (try await numbers([]), try await numbers(Set(all)))
    var attribution = RuleAttribution(all) { made in
      if made.isEmpty { return first.values }
      return made.count == all.count ? second.values : try await numbers(made).values
    }
    let changes = try await attribution.mattering()
    self.changes = changes
    isShapley = changes.count <= Self.shapleyLimit
    let parts =
      isShapley
      ? try await attribution.shapleyParts(changes)
      : try await attribution.successiveParts(changes)
    // Counts are compared with rates as shares of those who entered.
    let people = Double(max(first.entered, second.entered, 1))
    var found: [(size: Double, row: Row)] = []
    for (index, name) in first.names.enumerated() {
      guard let old = first.values[index], let new = second.values[index] else { continue }
      let unit = name.isRate ? 10_000.0 : 1
      let (from, to) = (Int((old * unit).rounded()), Int((new * unit).rounded()))
      let own = RuleAttribution<EditionChange>.whole(
        parts.map { $0[index] * unit }, total: to - from)
      if own.allSatisfy({ $0 == 0 }) { continue }
      let order = changes.indices.filter { own[$0] != 0 }.sorted {
        (-abs(own[$0]), $0) < (-abs(own[$1]), $1)
      }
      found.append(
        (
          abs(new - old) / (name.isRate ? 1 : people),
          Row(
            metric: name.metric, step: name.step, slice: name.slice, words: name.words,
            isRate: name.isRate, first: from, second: to,
            parts: order.map { Part(change: changes[$0], difference: own[$0]) })
        ))
    }
    let order = found.indices.sorted { (-found[$0].size, $0) < (-found[$1].size, $1) }
    rows = order.prefix(Self.maximumRows).map { found[$0].row }
    furtherRows = max(0, found.count - Self.maximumRows)
  }
}
