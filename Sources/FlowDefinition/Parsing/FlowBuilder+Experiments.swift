internal import Yams

/// An experiment whose variants' step lists wait until all steps are known.
struct ExperimentDraft {
  var experiment: Experiment
  /// Index of the variant, and its own list.
  var lists: [(variant: Int, list: [StepReference])]
  /// The entry of the file, for what can be read only when all metrics are known.
  var reader: MappingReader
}

extension FlowBuilder {
  mutating func readExperimentDrafts(_ file: MappingReader) -> [ExperimentDraft] {
    guard let node = file.node("experiments"),
      let entries = MappingReader.entries(of: node, what: "'experiments'", diagnostics)
    else { return [] }
    var drafts: [ExperimentDraft] = []
    for entry in diagnostics.limited(entries, .experiments, place: \.mark)
    where diagnostics.isIdentifier(entry.name, "an experiment", at: entry.mark) {
      if let draft = readExperiment(entry.name, entry.node, at: entry.mark) {
        drafts.append(draft)
      }
    }
    return drafts
  }

  private mutating func readExperiment(
    _ id: String, _ node: Node, at place: SourcePlace?
  ) -> ExperimentDraft? {
    let what = "experiment '\(id)'"
    let keys = [
      "control", "split", "splits", "variants", "start", "end", "exposure", "steps", "sequential",
      "contaminated", "title", "titles", "expected_total", "primary", "guardrails",
      "planned", "stratify", "prior", "cluster",
    ]
    guard let reader = MappingReader(node, what: what, allowed: keys, diagnostics) else {
      return nil
    }
    let (variants, periods) = readVariants(reader, what)
    let names = variants.map(\.id)
    diagnostics.warn(ofSpellings: names, "variant") { _ in reader.mark }
    var control = 0
    if let node = reader.required("control", in: what),
      let name = diagnostics.text(node, "'control'")
    {
      if let index = names.firstIndex(of: name) {
        control = index
      } else if !names.isEmpty {
        diagnostics.unknown("variant", name, at: node.place, allowed: names)
      }
    }
    var experiment = Experiment(
      id: id, variants: variants, control: control,
      isSequential: reader.boolean("sequential") ?? false,
      contaminated: reader.choice("contaminated", ContaminationRule.self) ?? .first,
      periods: periods)
    experiment.title = reader.text("title") ?? id
    readTitles(reader, &experiment, what)
    experiment.priorDeviation = diagnostics.percentage(reader, "prior", 0.001...10)
    readDates(reader, &experiment, what)
    readExpectedTotals(reader, &experiment, what)
    if let node = reader.node("exposure"),
      let event = MappingReader(
        node, what: "'exposure'", allowed: ["event", "where"], diagnostics)
    {
      experiment.exposure = pattern(event, in: "'exposure'")
    }
    return ExperimentDraft(
      experiment: experiment, lists: readVariantLists(reader, names: names, what),
      reader: reader)
  }

  /// What people call each variant.
  private func readTitles(
    _ reader: MappingReader, _ experiment: inout Experiment, _ what: String
  ) {
    guard let node = reader.node("titles"),
      let entries = MappingReader.entries(of: node, what: "'titles' of \(what)", diagnostics)
    else { return }
    let names = experiment.variants.map(\.id)
    for entry in entries {
      let title = diagnostics.text(entry.node, "the title of '\(entry.name)'")
      guard let index = names.firstIndex(of: entry.name) else {
        diagnostics.unknown("variant", entry.name, at: entry.mark, allowed: names)
        continue
      }
      if let title { experiment.variants[index].title = title }
    }
  }

  /// How long each variant is meant to take.
  private func readExpectedTotals(
    _ reader: MappingReader, _ experiment: inout Experiment, _ what: String
  ) {
    guard let node = reader.node("expected_total"),
      let entries = MappingReader.entries(
        of: node, what: "'expected_total' of \(what)", diagnostics)
    else { return }
    let names = experiment.variants.map(\.id)
    for entry in entries {
      let total = expectedTotal(entry.node)
      guard let index = names.firstIndex(of: entry.name) else {
        diagnostics.unknown("variant", entry.name, at: entry.mark, allowed: names)
        continue
      }
      experiment.variants[index].expectedTotalMilliseconds = total
    }
  }

  /// Variants from `split`, `splits` or `variants`, with shares that add up to exactly 1.
  private func readVariants(
    _ reader: MappingReader, _ what: String
  ) -> (variants: [Variant], periods: [SplitPeriod]) {
    guard reader.hasOne(of: ["split", "splits", "variants"], in: what) else { return ([], []) }
    var variants: [Variant] = []
    var periods: [SplitPeriod] = []
    var isOne = false
    if reader.has("variants") {
      let names = distinctNames(reader, "variants").filter {
        diagnostics.isIdentifier($0, "a variant", at: reader.keyMark("variants"))
      }
      isOne = reader.list("variants")?.count == 1
      variants = names.map { Variant(id: $0, share: 1 / Double(names.count)) }
    } else if reader.has("splits") {
      (variants, periods) = readSplits(reader, what)
      isOne = variants.count == 1
    } else {
      variants = reader.node("split").map { readSplit($0, what) } ?? []
      isOne = variants.count == 1
    }
    if variants.count > FlowLimit.variants.maximum {
      diagnostics.tooMany(.variants, variants.count, at: reader.mark)
    }
    // Where something else is wrong, that may be why there is none.
    if isOne || variants.isEmpty && !diagnostics.hasErrors {
      diagnostics.error(
        "\(what) needs at least two variants", at: reader.mark,
        found: isOne ? "1 variant" : "no variant")
    }
    return (variants, periods)
  }

  private func readSplit(_ node: Node, _ what: String) -> [Variant] {
    guard let entries = MappingReader.entries(of: node, what: "'split'", diagnostics) else {
      return []
    }
    return readSplit(entries, what, at: node.place)
  }

  /// The variants of one split.
  func readSplit(
    _ entries: [(name: String, mark: SourcePlace?, node: Node)], _ what: String,
    at place: SourcePlace?
  ) -> [Variant] {
    var variants: [Variant] = []
    var isComplete = true
    for entry in entries {
      isComplete =
        diagnostics.isIdentifier(entry.name, "a variant", at: entry.mark) && isComplete
      let share = diagnostics.share(entry.node, "the share of '\(entry.name)'")
      isComplete = isComplete && share != nil
      variants.append(Variant(id: entry.name, share: share ?? 0))
    }
    let sum = variants.reduce(0) { $0 + $1.share }
    guard isComplete, sum > 0 else { return variants }
    // A hundredth of a point, for thirds; a little more, for binary fractions.
    if abs(sum - 1) > 0.000_100_001 {
      let total = ScalarText.format((sum * 1_000_000).rounded() / 10_000)
      diagnostics.error(
        "the shares of \(what) add up to \(total)%, not 100%", at: place, found: "\(total)%")
    }
    for index in variants.indices { variants[index].share /= sum }
    return variants
  }

  private mutating func readVariantLists(
    _ reader: MappingReader, names: [String], _ what: String
  ) -> [(variant: Int, list: [StepReference])] {
    guard let node = reader.node("steps"),
      let entries = MappingReader.entries(
        of: node, what: "'steps' of \(what)", diagnostics)
    else { return [] }
    var lists: [(variant: Int, list: [StepReference])] = []
    for entry in entries {
      let list = stepList(entry.node, "variant '\(entry.name)'", declaresNames: false)
      guard let index = names.firstIndex(of: entry.name) else {
        diagnostics.unknown("variant", entry.name, at: entry.mark, allowed: names)
        continue
      }
      if let list { lists.append((index, list)) }
    }
    return lists
  }
}

extension Diagnostics {
  /// A share above 0% and at most 100%, as a fraction.
  func share(_ node: Node, _ what: String) -> Double? {
    guard let text = text(node, what) else { return nil }
    guard let fraction = ScalarText.percent(text) else {
      error(
        "\(what) must be a percentage, found '\(text)'", at: node.place, found: text,
        suggestion: ScalarText.percentSuggestion(for: text))
      return nil
    }
    guard fraction > 0, fraction <= 1 else {
      error(
        "\(what) must be above 0% and at most 100%, found '\(text)'", at: node.place,
        found: text)
      return nil
    }
    return fraction
  }
}
