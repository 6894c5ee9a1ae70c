package import FlowDefinition

/// Seeded dumps of few persons that meet every branch of the rules often: times on the edges of
/// windows, days and pauses, ties, shared devices, pages by name and number, several versions and
/// variants, other flows, duplicates, missing fields, lines that can't be used.
package struct RandomTimelines {
  let flow: Flow
  var generator: SeededGenerator
  /// Of their own, so that all else stays as it is without them.
  private var aliasGenerator: SeededGenerator
  private var finishGenerator: SeededGenerator
  private var placeholderGenerator: SeededGenerator
  private let origin: Int64
  /// How many in a hundred use the device that everybody may use.
  private let kioskShare: Int

  package init(seed: UInt64, flow: Flow) {
    self.flow = flow
    generator = SeededGenerator(seed: seed)
    aliasGenerator = SeededGenerator(seed: seed &+ 0xA11A5)
    finishGenerator = SeededGenerator(seed: seed &+ 0xF1415)
    placeholderGenerator = SeededGenerator(seed: seed &+ 0x0B0D1)
    // A Monday in January, and the eves of two clock changes.
    let origins = [CaseEvent.origin, 1_774_652_400_000, 1_792_792_800_000]
    origin = generator.pick(origins, or: CaseEvent.origin)
    kioskShare = generator.chance(20) ? 70 : 8
  }

  /// The lines of a dump, in no order.
  package mutating func lines(persons: Int) -> [String] {
    var events: [RandomEvent] = []
    for person in 0..<persons { events += timeline(person, of: persons) }
    alias(&events, persons: persons)
    forgetIdentifiers(&events)
    var lines: [String] = []
    for event in events {
      lines.append(event.json(&generator))
      // Delivered twice, in another spelling.
      if generator.chance(6) { lines.append(event.json(&generator)) }
      if generator.chance(1) { lines.append(generator.pick(Self.unusable, or: "")) }
    }
    lines.shuffle(using: &generator)
    return lines
  }

  /// One event in a hundred names another id of its user: a user's, a device's, or junk.
  private mutating func alias(_ events: inout [RandomEvent], persons: Int) {
    for index in events.indices where aliasGenerator.chance(1) {
      let person = aliasGenerator.below(persons)
      let others = ["\(person + 1)", "\(person + 1)", "d\(person)", "null", "Guest", "0-0"]
      events[index].previous = aliasGenerator.pick(others, or: "1")
    }
  }

  /// Of one event in a hundred the user or the device has a placeholder for an id, or what is nearly
  /// one and somebody's id.
  private mutating func forgetIdentifiers(_ events: inout [RandomEvent]) {
    for index in events.indices where placeholderGenerator.chance(1) {
      let text = placeholderGenerator.pick(Self.placeholders, or: "undefined")
      switch placeholderGenerator.below(4) {
      case 0: events[index].device = text
      case 1: (events[index].user, events[index].device) = (text, text)
      default: events[index].user = text
      }
    }
  }

  private static let placeholders = [
    "undefined", "NULL", "(null)", "<nil>", "None", " nan ", "n/a", "[object Object]", "Anonymous",
    "guest", "{}", "'undefined'", "(not set)", "-1", "{00000000-0000-0000-0000-000000000000}", " ",
    "lmy47d", "undefined1", "na", "anon", "-10", "not set", "(undefined",
  ]

  /// Options that cut at the edges.
  package mutating func options() -> ReferenceOptions {
    var options = ReferenceOptions(cohort: generator.pick(CohortUnit.allCases, or: .week))
    let edge = { (generator: inout SeededGenerator, origin: Int64) in
      origin + ReferenceTime.day * Int64(generator.below(12)) + Int64(generator.below(3) - 1)
    }
    if generator.chance(70) {
      let weeks = Int64(generator.pick([0, 1, 5, 5, 5], or: 0))
      options.asOfMilliseconds = edge(&generator, origin) + ReferenceTime.day * 7 * weeks
    }
    if generator.chance(20) { options.fromMilliseconds = edge(&generator, origin) }
    if generator.chance(20) { options.toMilliseconds = edge(&generator, origin) }
    if aliasGenerator.chance(12) {
      let day = Int64(aliasGenerator.below(9)) * ReferenceTime.day
      options.historyFromMilliseconds = origin + day
    }
    return options
  }

  private static let unusable = [
    "", "{", "[]", "not json", "{\"event\":\"onboarding_started\"}",
    "{\"event\":\"onboarding_started\",\"timestamp\":\"yesterday\",\"user_id\":\"1\"}",
    "{\"event\":\"onboarding_started\",\"timestamp\":1767571200}",
    "{\"timestamp\":1767571200,\"user_id\":\"1\"}",
  ]

  private mutating func timeline(_ person: Int, of persons: Int) -> [RandomEvent] {
    let draft = PersonDraft(
      person: person, of: persons, kioskShare: kioskShare, flow: flow, generator: &generator)
    var now = origin + ReferenceTime.day * Int64(generator.below(7))
    if generator.chance(60) { now += Int64(generator.below(86_400_000)) }
    let entry = now
    var events: [RandomEvent] = []
    if generator.chance(85) {
      events.append(draft.event(draft.entryKind(&generator), at: entry, &generator))
    }
    for _ in 0..<generator.below(18) {
      if generator.chance(65) {
        now += Int64(generator.pick([0, 1, 400, 5000, 20_000, 90_000], or: 0))
        events.append(draft.event(draft.kind(&generator), at: now, &generator))
      } else {
        let time = edge(now, entry: entry)
        events.append(draft.event(draft.kind(&generator), at: time, &generator))
        // Some go on from there, most return to where they were.
        if generator.chance(15) { now = max(now, time) }
      }
    }
    return events + events.compactMap { echo(of: $0) }
  }

  /// What rarely follows by chance: a skip of the step just viewed, a grant 30 days after, the
  /// event that a retention measure waits for.
  private mutating func echo(of event: RandomEvent) -> RandomEvent? {
    var echo = event
    switch event.name {
    case "onboarding_page_viewed" where generator.chance(10):
      echo.name = "onboarding_step_skipped"
      echo.time += generator.pick([0, 1, 800], or: 0)
    case "onboarding_skipped" where finishGenerator.chance(50):
      echo.name = "onboarding_completed"
      echo.properties["completion_method"] = finishGenerator.pick(
        ["\"finished\"", "null"], or: "null")
      echo.time += finishGenerator.pick([0, 1999, 2000, 2001, 50_000, 50_000], or: 0)
    case "permission_result" where generator.chance(40):
      let nudge = Int64(generator.below(3) - 1)
      echo.time += generator.chance(50) ? PermissionStanding.recovery + nudge : nudge
      echo.properties["status"] = "\"granted\""
    default:
      let measures = flow.retention.filter { $0.pattern != nil }
      guard !PersonDraft.onboarding.contains(event.name), generator.chance(15),
        let measure = measures.randomElement(using: &generator), let pattern = measure.pattern
      else { return nil }
      echo.name = pattern.event
      let days = measure.window.days
      let day = generator.pick([days.start, days.end, days.end - 1], or: 1)
      echo.time += ReferenceTime.day * Int64(day) + Int64(generator.below(3) - 1)
    }
    return echo
  }

  /// A millisecond before, at or after the edge of some window.
  private mutating func edge(_ now: Int64, entry: Int64) -> Int64 {
    let nudge = Int64(generator.below(3) - 1)
    let pause = Attempt.pause
    switch generator.below(14) {
    case 0...2: return now + pause + nudge
    case 3, 4: return entry + flow.windowMilliseconds + nudge
    case 5: return entry - flow.leadMilliseconds + nudge
    case 6...9:
      let withins = flow.goals.map(\.withinMilliseconds)
      let within = generator.pick(withins, or: pause)
      return (generator.chance(50) ? entry : now) + within + nudge
    default:
      let days = generator.pick([1, 1, 2, 2, 3, 5, 7, 8, 30], or: 1)
      return (generator.chance(60) ? entry : now) + ReferenceTime.day * Int64(days) + nudge
    }
  }
}
