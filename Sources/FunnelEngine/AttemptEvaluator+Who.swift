internal import FlowDefinition
internal import Timelines

/// Version, variants and dimensions of a person (definitions 5.10, 6).
extension AttemptEvaluator {
  mutating func findWho(entry: Int) {
    attempt.version = earliestValue(entry: entry, at: 1, in: attemptRange, onlyOwn: true)
    for dimension in attempt.dimensions.indices {
      let place = compiled.dimensionPlaces[dimension]
      attempt.dimensions[dimension] =
        takesEntryValue[dimension]
        ? valueAtEntry(entry, at: place)
        : earliestValue(
          entry: entry, at: place, in: laterRange(dimension, entry: entry), onlyOwn: false)
    }
    for cluster in attempt.clusters.indices {
      let place = compiled.clusterPlaces[cluster]
      attempt.clusters[cluster] = compiled.tables.canonicalCode(
        ofContextValue: valueAtEntry(entry, at: place), at: place)
    }
    for experiment in attempt.variants.indices {
      findVariants(experiment)
      attempt.standings[experiment] = standing(experiment)
    }
    attempt.combination = combinationNumber()
    attempt.list = combinations.list(attempt.combination)
  }

  /// Version, variants and dimensions of a person who is in no metric of the flow: by an attempt
  /// of their own, or as if one began with a fact that counts for something else.
  mutating func findWho(orAsIfEnteredAt index: Int) {
    let entry = describingEntry() ?? index
    findOutcome(entry: entry)
    findWho(entry: entry)
  }

  /// The number of the person's version and variants; their list is looked up by name once.
  private mutating func combinationNumber() -> Int {
    if let known = combinations.number(
      version: attempt.version, attempt.variants, attempt.standings)
    {
      return known
    }
    let version = attempt.version == 0 ? nil : name(attempt.version, at: 1)
    var variants: [String?] = []
    for (experiment, place) in compiled.variantPlaces.enumerated() {
      let held = compiled.variant(attempt.variants[experiment], in: experiment)
      variants.append(held.map { name($0, at: place) })
    }
    return combinations.add(
      version: attempt.version, attempt.variants, attempt.standings,
      list: compiled.lists.list(version: version, variants: variants))
  }

  /// The facts that may say a value which is known later.
  private mutating func laterRange(_ dimension: Int, entry: Int) -> Range<Int> {
    guard let within = laterWithinMilliseconds[dimension] else { return attemptRange }
    let end = endIndex(of: attempt.entryMilliseconds + within, from: entry)
    return attemptRange.lowerBound..<max(end, attemptRange.lowerBound)
  }

  /// The value on the entry fact, else the earliest among some facts; ties: the smallest bytes.
  mutating func earliestValue(
    entry: Int, at place: Int, in range: Range<Int>, onlyOwn: Bool
  ) -> UInt32 {
    let own = value(entry, place)
    if own != 0 { return own }
    var found: UInt32 = 0
    var time = Int64.max
    let entryContext = walk[entry].contextCode
    for index in range where walk[index].contextCode != entryContext {
      if walk[index].timeMilliseconds > time { break }
      let fact = walk[index]
      if onlyOwn && !compiled.contexts[fact.context].belongs { continue }
      let candidate = value(index, place)
      if candidate == 0 || candidate == found { continue }
      let smaller = found == 0 || isSmaller(candidate, found, at: place)
      if smaller { found = candidate }
      time = fact.timeMilliseconds
    }
    return found
  }

  /// Whether and when the person is in an experiment.
  private mutating func standing(_ experiment: Int) -> ExperimentStanding {
    attempt.exposedLater[experiment] = false
    guard compiled.limitsExperiment[experiment] else {
      return ExperimentStanding(period: 0, isExposed: true)
    }
    let declared = compiled.flow.experiments[experiment]
    guard let period = declared.period(at: attempt.entryMilliseconds) else { return .outside }
    guard declared.exposure != nil else {
      return ExperimentStanding(period: period, isExposed: true)
    }
    let earliest = attempt.entryMilliseconds - leadMilliseconds
    let exposing = compiled.exposingSets[experiment]
    let isExposed = walk[..<windowEndIndex].contains { fact in
      fact.timeMilliseconds >= earliest && exposing.contains(fact.patternSet)
    }
    if !isExposed && !attempt.variants[experiment].isEmpty {
      attempt.exposedLater[experiment] = walk[windowEndIndex...].contains {
        exposing.contains($0.patternSet)
      }
    }
    return ExperimentStanding(period: period, isExposed: isExposed)
  }

  /// The index behind the last fact whose variants count. Everybody is watched for as long:
  /// up to the outcome, those who abandon would be seen with a second variant more often.
  private var variantsEnd: Int {
    readsVariantsToWindowEnd ? windowEndIndex : attemptRange.upperBound
  }

  /// The value on the entry fact, else the latest up to the entry; ties: the smallest bytes.
  private mutating func valueAtEntry(_ entry: Int, at place: Int) -> UInt32 {
    var found = value(entry, place)
    if found != 0 { return found }
    let start = attempt.entryMilliseconds
    var earliest = start - leadMilliseconds
    // The entry's own millisecond goes on behind the entry fact.
    var index = entry
    while index + 1 < walk.count && walk[index + 1].timeMilliseconds == start { index += 1 }
    while index >= 0 && walk[index].timeMilliseconds >= earliest {
      let candidate = value(index, place)
      if candidate != 0 {
        if found == 0 || (candidate != found && isSmaller(candidate, found, at: place)) {
          found = candidate
        }
        earliest = walk[index].timeMilliseconds
      }
      index -= 1
    }
    return found
  }

  private mutating func findVariants(_ experiment: Int) {
    let place = compiled.variantPlaces[experiment]
    let earliest = attempt.entryMilliseconds - leadMilliseconds
    if isSoleVariant(experiment, place, since: earliest) { return }
    // Taken out, so that its memory is used again.
    var codes: [UInt32] = []
    swap(&codes, &attempt.variants[experiment])
    defer { swap(&codes, &attempt.variants[experiment]) }
    codes.removeAll(keepingCapacity: true)
    var firstTime = Int64.max
    for index in 0..<variantsEnd where walk[index].timeMilliseconds >= earliest {
      let code = value(index, place)
      if code == 0 || codes.contains(code) { continue }
      // With `contaminated: first` the earliest holds, at one moment the one declared first.
      if walk[index].timeMilliseconds == firstTime, comesFirst(code, codes[0], experiment) {
        codes.insert(code, at: 0)
      } else {
        codes.append(code)
      }
      if codes.count == 1 { firstTime = walk[index].timeMilliseconds }
    }
    // Of the others only the set matters.
    if codes.count > 2 { codes[1...].sort() }
  }

  /// Notes the experiment's variant where the person's facts name no more than one.
  private mutating func isSoleVariant(
    _ experiment: Int, _ place: Int, since earliest: Int64
  ) -> Bool {
    var sole: UInt32 = 0
    var context = UInt32.max
    for index in 0..<variantsEnd where walk[index].contextCode != context {
      guard walk[index].timeMilliseconds >= earliest else { continue }
      context = walk[index].contextCode
      let code = value(index, place)
      if code == 0 || code == sole { continue }
      if sole != 0 { return false }
      sole = code
    }
    if attempt.variants[experiment].count == 1 && sole != 0 {
      attempt.variants[experiment][0] = sole
    } else {
      attempt.variants[experiment].removeAll(keepingCapacity: true)
      if sole != 0 { attempt.variants[experiment].append(sole) }
    }
    return true
  }

  private func comesFirst(_ code: UInt32, _ other: UInt32, _ experiment: Int) -> Bool {
    let place = compiled.variantPlaces[experiment]
    let variants = compiled.flow.experiments[experiment].variants
    let left = variants.firstIndex { $0.id == name(code, at: place) } ?? .max
    let right = variants.firstIndex { $0.id == name(other, at: place) } ?? .max
    return left != right ? left < right : isSmaller(code, other, at: place)
  }

  private mutating func value(_ index: Int, _ place: Int) -> UInt32 {
    compiled.contextValue(walk[index].context, at: place)
  }

  private func isSmaller(_ left: UInt32, _ right: UInt32, at place: Int) -> Bool {
    name(left, at: place).utf8.lexicographicallyPrecedes(name(right, at: place).utf8)
  }

  private func name(_ code: UInt32, at place: Int) -> String {
    compiled.tables.name(ofContextValue: code, at: place)
  }
}
