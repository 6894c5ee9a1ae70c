internal import FlowDefinition

/// The combination of several dimensions, as a dimension of its own in ``Tally/crossedCells``.
public enum DimensionCrossing {
  /// Between names and between values: no text of an event has it.
  private static let separator = "\u{1F}"

  /// What stands for the dimension's id.
  public static func name(_ dimensions: [String]) -> String {
    dimensions.joined(separator: separator)
  }

  /// What stands for the value.
  static func value(_ values: [String]) -> String { values.joined(separator: separator) }

  /// Whether a value, or one of a combination, is `(other)`: those beyond the values that are kept.
  public static func hasOther(_ value: String) -> Bool {
    value.split(separator: separator).contains("(other)")
  }

  /// The combinations that a flow's experiments are stratified by, each once, as places of
  /// dimensions; those of a single dimension are cells of everybody's tally.
  static func all(_ flow: Flow) -> [[Int]] {
    var all: [[Int]] = []
    for experiment in flow.experiments where experiment.stratifiedBy.count > 1 {
      let places = experiment.stratifiedBy.compactMap { id in
        flow.dimensions.firstIndex { $0.id == id }
      }
      if !all.contains(places) { all.append(places) }
    }
    return all
  }
}
