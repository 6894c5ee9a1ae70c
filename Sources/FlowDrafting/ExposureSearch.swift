internal import EventInput

/// Finds the experiments that a tool's events of exposure name: one property says which experiment,
/// another which variant. One event serves all experiments of an app.
struct ExposureSearch {
  /// How a tool calls the two properties.
  private struct Pair {
    var experiment: String
    var variant: String
    /// Whether it names feature flags too, which may be on for some people for other reasons.
    var isOfFlags = false
    /// Whether other events may have properties of these names as well.
    var isPlain = false
  }

  /// Sources: Mixpanel, *Experiments*; Segment, *A/B testing event spec* and *Optimizely Web*;
  /// GrowthBook, *Tracking callback*; Statsig, *Exposures*; Amplitude, *Exposure tracking*;
  /// PostHog, *Experiment exposures*.
  private static let pairs = [
    Pair(experiment: "Experiment name", variant: "Variant name"),
    Pair(experiment: "experiment_name", variant: "variation_name"),
    Pair(experiment: "experiment_name", variant: "variant_name"),
    Pair(experiment: "experiment_id", variant: "variation_id"),
    Pair(experiment: "experimentName", variant: "variationName"),
    Pair(experiment: "experimentId", variant: "variationId"),
    Pair(experiment: "config", variant: "group", isPlain: true),
    Pair(experiment: "[Experiment] Flag Key", variant: "[Experiment] Variant", isOfFlags: true),
    Pair(experiment: "flag_key", variant: "variant", isOfFlags: true, isPlain: true),
    Pair(experiment: "$feature_flag", variant: "$feature_flag_response", isOfFlags: true),
  ]

  /// One experiment's people.
  private struct Seen {
    var people: [String: Int] = [:]
    var severalValues = 0
    var total = 0
    var evidence = ChanceEvidence()
  }

  /// What was found.
  struct Found {
    /// The pair, if it names an experiment.
    var candidate: VariantCandidate?
    /// Why a name is no experiment, by the name.
    var doubts: [String: String] = [:]
    /// The properties of pairs that the dump has: none of them is a variant by itself.
    var properties: Set<String> = []
  }

  static func find(_ timelines: SampledTimelines) -> Found {
    var named = pairs.map { Named(pair: $0) }
    for person in timelines.people {
      for (place, event) in person.enumerated() {
        let properties = event.properties
        for index in named.indices { named[index].add(event, properties, at: place) }
      }
      for index in named.indices { named[index].close(person) }
    }
    return named.reduce(into: Found()) { add($1, to: &$0) }
  }

  private static func add(_ named: Named, to found: inout Found) {
    guard let paths = named.paths else { return }
    found.properties.formUnion([named.pair.experiment, named.pair.variant])
    var experiments: [VariantCandidate.Experiment] = []
    for (id, seen) in named.seen where FlowDraft.isName(id) {
      guard let experiment = experiment(id, seen) else { continue }
      if let doubt = doubt(seen, named.pair) {
        found.doubts[id] = doubt
      } else {
        experiments.append(experiment)
      }
    }
    experiments.sort { ($1.peopleCount, $0.id) < ($0.peopleCount, $1.id) }
    guard found.candidate == nil, let first = experiments.first else { return }
    found.candidate = VariantCandidate(
      path: paths.variant, name: named.pair.variant, values: first.values,
      evidence: experiments.prefix(3).map(\.evidence).joined(separator: "; "), isNamed: true,
      doubt: nil, exposures: .init(path: paths.experiment, experiments: experiments))
  }

  /// What one pair of properties names.
  private struct Named {
    let pair: Pair
    private(set) var paths: (experiment: String, variant: String)?
    /// By experiment.
    private(set) var seen: [String: Seen] = [:]
    /// The person's variants, and the event that named the first, by experiment.
    private var variants: [String: Set<String>] = [:]
    private var places: [String: Int] = [:]

    init(pair: Pair) { self.pair = pair }

    mutating func add(_ event: SampledEvent, _ properties: [String: String], at place: Int) {
      guard let id = properties[pair.experiment], let variant = properties[pair.variant],
        !pair.isPlain || NameHint.isAssignment(event.event)
      else { return }
      if paths == nil {
        paths = (
          event.path(ofProperty: pair.experiment), event.path(ofProperty: pair.variant)
        )
      }
      variants[id, default: []].insert(variant)
      if places[id] == nil { places[id] = place }
    }

    /// Counts the person whose events were added.
    mutating func close(_ person: [SampledEvent]) {
      for (id, values) in variants {
        seen[id, default: Seen()].total += 1
        guard let value = values.first, values.count == 1, let place = places[id] else {
          seen[id]?.severalValues += 1
          continue
        }
        seen[id]?.people[value, default: 0] += 1
        seen[id]?.evidence.add(person, saidAt: place, value: value) { _ in false }
      }
      variants.removeAll()
      places.removeAll()
    }
  }

  /// `nil` where what is named has no variants that can be compared.
  private static func experiment(_ id: String, _ seen: Seen) -> VariantCandidate.Experiment? {
    let values = seen.people.filter { FlowDraft.isName($0.key) }
      .map { VariantCandidate.Value(name: $0.key, people: $0.value) }
      .sorted { $0.name < $1.name }
    guard let most = values.map(\.people).max(), let least = values.map(\.people).min(),
      VariantSearch.variantCounts.contains(values.count), seen.total >= VariantSearch.leastPeople,
      least * 20 >= most
    else { return nil }
    return VariantCandidate.Experiment(id: id, values: values)
  }

  private static func doubt(_ seen: Seen, _ pair: Pair) -> String? {
    if seen.severalValues * 5 > seen.total {
      return "\(RoleRanking.grouped(seen.severalValues)) of "
        + "\(RoleRanking.grouped(seen.total)) people have several variants"
    }
    return pair.isOfFlags ? seen.evidence.doubtOfNamed : nil
  }
}
