package import FlowDefinition

/// Which steps a slice's persons are shown, and in which order.
package struct StepPlaces {
  /// Indices into `Flow.steps`: of everyone in the common order of all lists, of a version or
  /// variant first its own list, then what only others of its persons have.
  package let order: [Int]
  /// The place of each listed step, from 1.
  private let places: [Int: Int]

  /// The variant's own list, else the version's, else the flow's.
  package init(_ slice: Slice, _ flow: Flow) {
    let variant = flow.experiments.first { $0.id == slice.experiment }?.variants
      .first { $0.id == slice.variant }
    let version = flow.versions.first { $0.name == slice.version }
    let list = variant?.steps ?? version?.steps ?? flow.defaultList
    let listed = Set(list)
    // Everyone has the steps of several lists: one that only another version has stands where that
    // version has it.
    order =
      variant == nil && version == nil
      ? StepOrder.all(flow) : list + flow.steps.indices.filter { !listed.contains($0) }
    places = Dictionary(
      list.enumerated().map { ($0.element, $0.offset + 1) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The place in the slice's list, from 1; `nil` for a step that is not in it.
  package func position(_ step: Int) -> Int? { places[step] }
}
