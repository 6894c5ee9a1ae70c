internal import FlowDefinition

/// The step lists of a flow: one for each version and for each variant that has its own.
struct StepLists: Sendable {
  struct List: Sendable {
    /// Indices into the flow's steps, in order.
    var steps: [Int]
    /// For each step of the flow its place in this list, or −1.
    var places: [Int]

    init(steps: [Int], stepCount: Int) {
      self.steps = steps
      places = Array(repeating: -1, count: stepCount)
      for (place, step) in steps.enumerated() { places[step] = place }
    }
  }

  let all: [List]
  /// The first step of each list; −1 for a list without steps.
  let firstSteps: [Int]
  private let stepCount: Int
  /// The places of all lists, one list after the other.
  private let places: [Int16]
  /// The list of each declared version, by name.
  private(set) var ofVersion: [String: Int] = [:]
  /// For each experiment, the list of each variant that has one, by variant id.
  private(set) var ofVariant: [[String: Int]] = []

  /// List 0 is the newest version's.
  init(_ flow: Flow) {
    var all = [List(steps: flow.defaultList, stepCount: flow.steps.count)]
    for version in flow.versions {
      ofVersion[version.name] = all.count
      all.append(List(steps: version.steps, stepCount: flow.steps.count))
    }
    for experiment in flow.experiments {
      var lists: [String: Int] = [:]
      for variant in experiment.variants {
        guard let steps = variant.steps else { continue }
        lists[variant.id] = all.count
        all.append(List(steps: steps, stepCount: flow.steps.count))
      }
      ofVariant.append(lists)
    }
    self.all = all
    firstSteps = all.map { $0.steps.first ?? -1 }
    stepCount = flow.steps.count
    places = all.flatMap(\.places).map { Int16(truncatingIfNeeded: $0) }
  }

  /// The place of a step in a list, or −1.
  func place(_ list: Int, _ step: Int) -> Int { Int(places[list * stepCount + step]) }

  /// The list of a version and of variants (`nil`: none, contaminated or unassigned).
  func list(version: String?, variants: [String?]) -> Int {
    for (experiment, variant) in variants.enumerated() {
      if let variant, let list = ofVariant[experiment][variant] { return list }
    }
    return version.flatMap { ofVersion[$0] } ?? 0
  }

  /// Every list that could apply to an event that names this version and these variants.
  func candidates(version: String?, variants: [String?]) -> [Int] {
    var open: [Int] = []
    for (experiment, variant) in variants.enumerated() where !ofVariant[experiment].isEmpty {
      if let variant {
        if let list = ofVariant[experiment][variant] { return open + [list] }
      } else {
        open += ofVariant[experiment].values.sorted()
      }
    }
    if let version { return open + [ofVersion[version] ?? 0] }
    return open + [0] + ofVersion.values.sorted()
  }
}
