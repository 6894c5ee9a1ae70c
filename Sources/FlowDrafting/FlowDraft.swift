public import EventInput
internal import FlowDefinition

/// A first flow file for a dump: what seems to be its onboarding, with the evidence in comments.
///
/// It looks at a sample of events with all their fields, and guesses; a person then reads what it
/// has guessed. The same sample gives the same text.
public struct FlowDraft {
  private static let mostExperiments = 12

  let sample: DumpSampler.Sample
  /// What the sample's timelines say, and the candidates for each part.
  public let guess: FlowGuess
  let choice: FlowChoice
  let names: DraftNames
  let eventCounts: [String: Int]
  /// The flow's id: the one that most events of the onboarding name, or else `my_app`.
  public private(set) var flowId = "my_app"
  /// Where the page's name stands, if not where canonical events have it.
  var pagePath: String?
  /// Where views only say which of the pages it is, by its place among them.
  private var numberPath: String?
  var pages: [(page: String, persons: Int)] = []
  /// What a property `flow` of the app's own says, most events first; empty where `flow` names the
  /// flow.
  var ownFlowValues: [(text: String, events: Int)] = []
  /// Other flows that the events name, most events first.
  var otherFlows: [(text: String, events: Int)] = []
  /// How many steps were found beyond those that a flow may have.
  var undraftedSteps = 0
  /// Experiments that events name beyond those that are drafted.
  var undraftedExperiments: [String] = []
  /// Views of pages whose names can't be those of steps.
  var unusablePages: [String: Int] = [:]
  /// Pages that people see instead of one another.
  var branches: Set<String> = []
  /// Pages by version, where there are several versions.
  var pagesOfVersion: [(version: String, pages: [String])] = []
  var countsFrom = 1
  /// The page that skipping leads to; nil where it ends the flow.
  var skipLeadsTo: String?
  var hasSkip = false
  var permissions: [(name: String, count: Int, page: String?)] = []
  var experiments: [(id: String, variants: [(String, Int)])] = []
  /// The control, where the lists of the variants show it.
  var controlOfExperiment: [String: String] = [:]
  var variantLists: [VariantList] = []
  var dimensions: [(id: String, path: String, values: Int)] = []
  var hasUsers = false
  var hasDevices = false
  var personCount = 0

  /// A draft of the best guess.
  public init(_ sample: DumpSampler.Sample) {
    let guess = FlowGuess(sample)
    self.init(guess, guess.choice)
  }

  /// A draft of what was chosen.
  public init(_ guess: FlowGuess, _ choice: FlowChoice) {
    sample = guess.sample
    self.guess = guess
    self.choice = choice
    eventCounts = sample.events.reduce(into: [:]) { $0[$1.event, default: 0] += 1 }
    names = DraftNames(eventCounts, guess, choice)
    hasUsers = sample.events.contains { $0.hasUser }
    hasDevices = sample.events.contains { $0.hasDevice }
    findFlow()
    let timelines = SampledTimelines(eventsOfFlow)
    findPageField(timelines)
    findPages(timelines)
    findPermissions(timelines)
    findExperiments()
    findVariantLists(timelines)
    findDimensions()
  }

  /// Experiments with variants to compare.
  var comparable: [(id: String, variants: [(String, Int)])] {
    experiments.filter { $0.variants.count > 1 }
  }

  /// Whether anything looks like onboarding.
  public var hasPages: Bool { !pages.isEmpty }

  private func part(_ event: SampledEvent) -> String? { names.part(event.event) }

  /// Among names of the app's own only what all events of the onboarding say alike is its name:
  /// an app may call anything `flow`, such as the ways to sign up.
  private mutating func findFlow() {
    let flows = sample.events.filter { part($0) != nil }.map { $0.value("flow") }
    let counts = Dictionary(flows.compactMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
    let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard guess.isCanonical || ranked.isEmpty || ranked.count == 1 && !flows.contains(nil) else {
      ownFlowValues = ranked.map { (text: $0.key, events: $0.value) }
      return
    }
    guard let flow = ranked.first?.key, Self.isName(flow) else { return }
    flowId = flow
    otherFlows = ranked.dropFirst().prefix(8).map { (text: $0.key, events: $0.value) }
  }

  /// The sample without what other flows' events say of these.
  private var eventsOfFlow: [SampledEvent] {
    if otherFlows.isEmpty { return sample.events }
    return sample.events.filter { part($0) == nil || [nil, flowId].contains($0.value("flow")) }
  }

  /// Where the page's name stands: the canonical place, or the property that looks most like it.
  private mutating func findPageField(_ timelines: SampledTimelines) {
    if let screens = names.screens {
      pagePath = screens.path
      return
    }
    let views = sample.events.filter { part($0) == "onboarding_page_viewed" }
    if views.isEmpty || views.contains(where: { $0.value("properties.page_name") != nil }) {
      return
    }
    var values: [String: Set<String>] = [:]
    var paths: [String: String] = [:]
    for view in views.prefix(20_000) {
      for (name, value) in view.properties where Int(value) == nil {
        values[name, default: []].insert(value)
        if paths[name] == nil { paths[name] = view.path(ofProperty: name) }
      }
    }
    let words = ["page", "screen", "step", "name", "title"]
    let constant = propertiesOfPeople(timelines)
    let name =
      values.filter {
        (2...PageOrder.maximumPages).contains($0.value.count) && !constant.contains($0.key)
      }
      .map { name, values in
        (name, words.filter { name.lowercased().contains($0) }.count, values.count)
      }
      .filter { $0.1 > 0 }
      .max { ($0.1, $0.2, $1.0) < ($1.1, $1.2, $0.0) }?.0
    pagePath = name.flatMap { paths[$0] }
    guard pagePath == nil else { return }
    numberPath = ["properties.page_number", "properties.page_index"].first { path in
      views.contains { $0.value(path) != nil }
    }
  }

  /// Properties of page views that mostly stay as they are while people go from view to view, such
  /// as their system or their app's version: they are no pages.
  private func propertiesOfPeople(_ timelines: SampledTimelines) -> Set<String> {
    var people: [String: (all: Int, constant: Int)] = [:]
    for person in timelines.people {
      var values: [String: (views: Int, found: Set<String>)] = [:]
      for event in person where part(event) == DraftScreens.part {
        for (name, value) in event.properties {
          values[name, default: (0, [])].views += 1
          values[name, default: (0, [])].found.insert(value)
        }
      }
      for (name, own) in values where own.views > 1 {
        people[name, default: (0, 0)].all += 1
        if own.found.count == 1 { people[name, default: (0, 0)].constant += 1 }
      }
    }
    return Set(people.filter { $0.value.constant * 2 > $0.value.all }.keys)
  }

  func page(_ event: SampledEvent) -> String? {
    pageText(event).flatMap { Self.isName($0) ? $0 : nil }
  }

  private func pageText(_ event: SampledEvent) -> String? {
    if let numberPath {
      return event.value(numberPath).flatMap(Self.wholeNumber).map(Self.numbered)
    }
    return names.screens?.pageOfEvent[event.event]
      ?? event.value(pagePath ?? "properties.page_name")
  }

  /// What to call a page without a name.
  private static func numbered(_ number: Int) -> String { "page_\(number)" }

  /// All pages up to the last, in the order of their numbers: one that nobody of the sample saw has
  /// its place, too.
  private mutating func orderByNumber() {
    let first = numberPath == "properties.page_number" ? countsFrom : 0
    let persons = Dictionary(pages.map { ($0.page, $0.persons) }) { one, _ in one }
    let places = first..<first + FlowLimit.steps.maximum
    guard let last = places.last(where: { persons[Self.numbered($0)] != nil }) else { return }
    pages = (first...last).map { (Self.numbered($0), persons[Self.numbered($0)] ?? 0) }
    branches = []
  }

  private mutating func findPages(_ timelines: SampledTimelines) {
    var order = PageOrder()
    var orders: [String: PageOrder] = [:]
    var latest: [String: Int64] = [:]
    var lowestNumber: [Int: Int] = [:]
    var afterSkip: [String] = []
    var skips = 0
    personCount = timelines.people.count
    for events in timelines.people {
      var views = FirstViews()
      var viewsOfVersion: [String: FirstViews] = [:]
      var skippedAt: Int64?
      for event in events {
        switch part(event) {
        case "onboarding_page_viewed":
          guard let page = page(event) else {
            if let text = pageText(event) { unusablePages[text, default: 0] += 1 }
            continue
          }
          if skippedAt != nil {
            afterSkip.append(page)
            skippedAt = nil
          }
          views.add(page)
          if let version = event.value("flow_version"), Self.isName(version) {
            viewsOfVersion[version, default: FirstViews()].add(page)
            latest[version] = max(latest[version] ?? 0, event.timeMilliseconds)
          }
          if let number = event.value("properties.page_number").flatMap(Self.wholeNumber) {
            lowestNumber[number, default: 0] += 1
          }
        case "onboarding_skipped":
          skips += 1
          skippedAt = event.timeMilliseconds
        case "onboarding_completed": skippedAt = nil
        default: break
        }
      }
      order.add(views.pages)
      for (version, views) in viewsOfVersion {
        orders[version, default: PageOrder()].add(views.pages)
      }
    }
    pages = kept(Self.usual(order))
    branches = order.branches
    hasSkip = skips > 0
    if skips > 0, afterSkip.count * 2 > skips { skipLeadsTo = Self.mostCommon(afterSkip) }
    countsFrom = (lowestNumber[0] ?? 0) > 0 ? 0 : 1
    findVersions(orders, latest)
    if numberPath != nil { orderByNumber() }
    undraftedSteps = max(0, pages.count - FlowLimit.steps.maximum)
    pages = Array(pages.prefix(FlowLimit.steps.maximum))
    // Who skips to another screen of the app, such as its home, has left the onboarding.
    if let to = skipLeadsTo, !pages.contains(where: { $0.page == to }) { skipLeadsTo = nil }
  }

  /// Pages that more than a few saw: the others are slips of the pen or tests.
  private static func usual(_ order: PageOrder) -> [(page: String, persons: Int)] {
    let most = order.persons.max() ?? 0
    return order.ordered.filter { $0.persons * 200 >= most }
  }

  /// The pages that were chosen; all, where nothing was.
  private func kept(
    _ pages: [(page: String, persons: Int)]
  ) -> [(page: String, persons: Int)] {
    guard let steps = choice.steps else { return pages }
    let kept = pages.filter { steps.contains($0.page) }
    return kept.isEmpty ? pages : kept
  }

  /// The newest version is the one with the highest number, or else that was seen last.
  private mutating func findVersions(_ orders: [String: PageOrder], _ latest: [String: Int64]) {
    guard orders.count > 1 else { return }
    let versions = orders.keys.sorted { left, right in
      let numbers = (Int(left), Int(right))
      if let one = numbers.0, let other = numbers.1 { return one < other }
      let times = (latest[left] ?? 0, latest[right] ?? 0)
      return times.0 != times.1 ? times.0 < times.1 : left < right
    }
    pagesOfVersion = versions.suffix(6).map { version in
      (version, orders[version].map { Self.usual($0).map(\.page) } ?? [])
    }
    let newest = orders[versions[versions.count - 1]].map(Self.usual) ?? []
    if !newest.isEmpty {
      pages = kept(newest)
      branches = orders[versions[versions.count - 1]]?.branches ?? []
    }
  }

  private mutating func findPermissions(_ timelines: SampledTimelines) {
    var counts: [String: Int] = [:]
    var pagesBefore: [String: [String]] = [:]
    for events in timelines.people {
      var page: String?
      for event in events {
        if let seen = part(event) == "onboarding_page_viewed" ? self.page(event) : nil {
          page = seen
        }
        guard part(event)?.hasPrefix("permission") == true,
          let name = event.value("properties.permission"), Self.isName(name)
        else { continue }
        counts[name, default: 0] += 1
        if let page { pagesBefore[name, default: []].append(page) }
      }
    }
    permissions = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(12)
      .map { ($0.key, $0.value, Self.mostCommon(pagesBefore[$0.key] ?? [])) }
  }

  private mutating func findExperiments() {
    let chosen = choice.variant.map(chosenExperiments) ?? []
    if let variant = choice.variant, variant.exposures == nil {
      take(chosen)
      return
    }
    var counts: [String: [String: Int]] = [:]
    for event in sample.events {
      for (id, variant) in event.variants
      where Self.isName(id) && Self.isName(variant) && guess.doubtsOfExperiments[id] == nil {
        counts[id, default: [:]][variant, default: 0] += 1
      }
    }
    let order = counts.sorted { left, right in
      let totals = (left.value.values.reduce(0, +), right.value.values.reduce(0, +))
      return totals.0 != totals.1 ? totals.0 > totals.1 : left.key < right.key
    }
    let known = Set(chosen.map(\.id))
    take(
      chosen
        + order.filter { !known.contains($0.key) }.map { id, variants in
          (id, variants.sorted { ($0.key) < ($1.key) }.prefix(12).map { ($0.key, $0.value) })
        })
  }

  /// Drafts as many as somebody can read; first those with a control, for most flags only turn
  /// something on.
  private mutating func take(_ found: [(id: String, variants: [(String, Int)])]) {
    func hasControl(_ variants: [(String, Int)]) -> Bool {
      !Set(variants.map(\.0)).isSubset(of: ["true", "false", "on", "off"])
        && Self.control(among: variants) != nil
    }
    let usable = found.filter { $0.variants.count > 1 }
    let ordered =
      usable.filter { hasControl($0.variants) } + usable.filter { !hasControl($0.variants) }
    experiments = Array(ordered.prefix(Self.mostExperiments))
    undraftedExperiments = ordered.dropFirst(Self.mostExperiments).map(\.id)
  }

  /// The experiment of a property that was chosen: one, or those that the events name.
  private func chosenExperiments(
    _ chosen: VariantCandidate
  ) -> [(id: String, variants: [(String, Int)])] {
    func counts(_ values: [VariantCandidate.Value]) -> [(String, Int)] {
      values.map { ($0.name, $0.people) }
    }
    guard let exposures = chosen.exposures else {
      return [(Self.isName(chosen.name) ? chosen.name : "experiment", counts(chosen.values))]
    }
    return exposures.experiments.map { ($0.id, counts($0.values)) }
  }
}
