import FlowDefinition

/// A flow and its people's habits, resolved to indices: all that fates are drawn from.
///
/// Nothing here changes once it is made, so all threads share one.
struct World: Sendable {
  static let day: Int64 = 86_400_000
  static let minute: Int64 = 60_000

  var flow: Flow
  var profile: Profile
  var plan: SimulationPlan
  var days: Int
  var start: Int64
  /// The last millisecond the dump knows; three devices are active up to it.
  var horizon: Int64
  var versions: [WorldVersion]
  var versionCumulated: [Double]
  var arms: [Arm] = []
  /// How many combinations of variants there are; an arm's index is
  /// `version × (combinations + 1) + combination`, the last one being outside the experiments.
  var combinations: [[Int]]
  var book = ChanceBook()
  var happenings: Happenings
  var matches: PatternMatches
  var names: ActivityNames
  var items: [String] = []
  var context: ContextModel
  var clock: DayClock
  var dayEffects: DayEffects
  var incidents: IncidentPlan
  var dimensions: [DimensionSource]
  var funnels: FunnelPlan
  /// Whether a number alone names a page in an event of an assigned person.
  var numbersAreClear: Bool

  init(_ plan: SimulationPlan) throws(SimulationError) {
    try World.check(plan)
    let flow = plan.flow
    let profile = Profile.habits(flow: flow.id)
    self.flow = flow
    self.profile = profile
    self.plan = plan
    days = plan.days ?? profile.days
    start = plan.startMilliseconds
    horizon = plan.startMilliseconds + Int64(days) * World.day - World.minute
    versions = WorldVersion.all(of: flow, profile)
    var total = 0.0
    versionCumulated = versions.map { version in
      total += version.share
      return total
    }
    combinations = flow.experiments.reduce([[]]) { combinations, experiment in
      combinations.flatMap { head in experiment.variants.indices.map { head + [$0] } }
    }
    happenings = Happenings(flow, profile)
    context = ContextModel(flow, profile)
    incidents = IncidentPlan(flow, profile, context, &happenings.table, start: start)
    dimensions = DimensionSource.all(flow, profile, context, happenings.table.templates)
    matches = PatternMatches(flow, happenings.table.templates)
    names = ActivityNames(flow, profile, taken: happenings.events)
    funnels = FunnelPlan(flow, happenings.table.templates, names)
    dayEffects = DayEffects(profile.dayHabits, start: start, days: days, seed: plan.seed)
    clock = DayClock(flow, from: plan.startMilliseconds, days: days)
    numbersAreClear = flow.versions.isEmpty || flow.newestVersion != nil
    for version in versions.indices {
      for combination in combinations { addArm(version: version, variants: combination) }
      addArm(version: version, variants: nil)
    }
  }

  func armIndex(version: Int, combination: Int?) -> Int {
    version * (combinations.count + 1) + (combination ?? combinations.count)
  }

  private static func check(_ plan: SimulationPlan) throws(SimulationError) {
    func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(SimulationError) {
      guard range.contains(value) else {
        throw .invalidPlan(
          name: name, value: "\(value)", allowed: "\(range.lowerBound) to \(range.upperBound)")
      }
    }
    try check("persons", plan.persons, 0...100_000_000)
    try check("days", plan.days ?? 1, 1...3_650)
    try check("files", plan.files ?? 1, 1...(24 * (plan.days ?? 90)))
    try check("threads", plan.threads, 1...256)
    let rates = [
      ("duplicates", plan.rates.duplicates), ("late", plan.rates.late),
      ("out of order", plan.rates.outOfOrder), ("broken", plan.rates.broken),
      ("wrong clocks", plan.rates.wrongClocks),
    ]
    for (name, rate) in rates where !(0...0.5).contains(rate) {
      throw .invalidPlan(name: "the rate of \(name)", value: "\(rate)", allowed: "0 to 0.5")
    }
    guard plan.flow.steps.count <= 64 else {
      throw .tooManySteps(count: plan.flow.steps.count, limit: 64)
    }
    let earliest: Int64 = 978_307_200_000
    let latest: Int64 = 2_208_988_800_000
    guard (earliest...latest).contains(plan.startMilliseconds) else {
      throw .invalidPlan(
        name: "the start", value: "\(plan.startMilliseconds) ms",
        allowed: "2001-01-01 to 2040-01-01")
    }
  }
}

/// A version of the flow, as events name it.
struct WorldVersion: Sendable {
  /// `nil` where events name no version.
  var name: String?
  var list: [Int]
  var share: Double

  /// What the slice is called.
  var label: String { name ?? "(none)" }

  static func all(of flow: Flow, _ profile: Profile) -> [WorldVersion] {
    var rest = 1.0
    var versions: [WorldVersion] = []
    for version in flow.versions {
      let share = min(
        rest, profile.versionShares[version.name] ?? 0.25 / Double(flow.versions.count))
      rest -= share
      versions.append(WorldVersion(name: version.name, list: version.steps, share: share))
    }
    versions.append(WorldVersion(name: flow.newestVersion, list: flow.defaultList, share: rest))
    return versions
  }
}
