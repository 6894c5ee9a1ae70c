import FlowDefinition

/// Draws the fates of persons, one after the other, and counts how the chances came out.
struct FateDrawer {
  let world: World
  var random = RandomSource(seed: 0, stream: 0)
  var fate = Fate()
  var counts: ChanceCounts
  /// The person at hand turns pages by swiping.
  var isSwiper = false

  init(_ world: World) {
    self.world = world
    counts = ChanceCounts(slots: world.book.entries.count)
  }

  var arm: Arm { world.arms[fate.arm] }

  /// Draws the fate of a person: it depends on the seed and the person's number alone.
  mutating func draw(person: Int) {
    random = RandomSource(seed: world.plan.seed, stream: UInt64(person))
    fate.begin(
      person: person, permissions: world.flow.permissions.count,
      actions: world.happenings.actions.list.count)
    fate.context = world.context.draw(&random)
    if person < 3 {
      keepHorizon(person)
      return
    }
    drawKind()
    drawArm()
    drawIdentity()
    switch fate.kind {
    case .activityOnly:
      fate.entry = random.milliseconds(world.start + World.minute, world.horizon)
      drawRelease()
      visit(at: fate.entry)
    case .orphan:
      fate.entry = world.start
      drawRelease()
      walkAsOrphan()
    case .existing:
      visitLongBefore()
      drawRelease()
      walk()
    case .ordinary:
      fate.entry = min(
        world.horizon - 1000,
        max(world.start + 3 * World.minute, world.dayEffects.entry(&random)))
      drawRelease()
      tellWhatComesBefore()
      walk()
      liveOn()
    }
    drawWrongClock()
  }

  /// Draws a chance of the book, its odds times a factor, and notes how it came out.
  mutating func comesTrue(_ slot: Int, odds: Double = 1) -> Bool {
    guard slot >= 0 else { return false }
    var probability = world.book.entries[slot].probability
    if odds != 1 { probability = probability * odds / (1 - probability + probability * odds) }
    let hit = random.chance(probability)
    counts.note(slot, probability, isHit: hit)
    return hit
  }

  /// The app's version is the newest, or, now and then, the one before.
  private mutating func drawRelease() {
    guard world.context.hasReleases,
      fate.context[ContextModel.appVersion] != ContextModel.missing
    else { return }
    let newest = world.newestRelease(at: fate.entry)
    let isOld = newest > 0 && random.chance(0.12)
    fate.context[ContextModel.appVersion] = UInt8(truncatingIfNeeded: isOld ? newest - 1 : newest)
  }

  /// Whether an incident keeps a view from being sent.
  func losesView(_ step: Int, _ position: Int, at time: Int64) -> Bool {
    world.incidents.losesView(step, position: position, at: time, appVersion(at: time))
  }

  /// The code of the app's version: another one after an update.
  private func appVersion(at time: Int64) -> UInt8 {
    time >= fate.updateTime ? fate.updatedVersion : fate.context[ContextModel.appVersion]
  }

  /// Adds a line, unless the dump ends before it.
  mutating func tell(
    _ kind: EventKind, at time: Int64, a: Int? = nil, b: Int? = nil,
    style: EventRecord.Style = .usual
  ) {
    guard time <= world.horizon else { return }
    if kind == .viewed, let a, let b, losesView(a, b, at: time) { return }
    fate.records.append(
      EventRecord(
        time: time, person: fate.person,
        sequence: UInt16(truncatingIfNeeded: fate.records.count), kind: kind,
        identity: identity(at: time, kind),
        a: a.map { UInt16(truncatingIfNeeded: $0) } ?? EventRecord.none,
        b: b.map { UInt16(truncatingIfNeeded: $0) } ?? EventRecord.none,
        session: fate.session, style: style))
  }

  private mutating func identity(at time: Int64, _ kind: EventKind) -> EventRecord.Identity {
    switch world.flow.identity {
    case .user: return fate.isUserOnly ? .user : [.user, .device]
    case .device: return .device
    case .stitched: break
    }
    if fate.isUserOnly { return .user }
    guard time >= fate.signInTime else { return .device }
    // A server knows the user, not the device.
    if kind == .happening, random.chance(0.2) { return .user }
    return [.user, .device]
  }

  /// Makes one of the events of a pattern happen.
  mutating func happen(_ choice: TemplateChoice?, at time: Int64) {
    guard let template = choice?.draw(&random) else { return }
    happen(template: template, at: time)
  }

  /// Makes an event happen, as it is sent at that time; returns when it does.
  @discardableResult
  mutating func happen(template: Int, at time: Int64) -> Int64 {
    // No two at one millisecond: which came first must not be a matter of spelling.
    var time = time
    while fate.happenings.contains(where: { $0.time == time }) { time += 1 }
    let sent = world.incidents.sent(template, at: time, appVersion(at: time))
    fate.happenings.append(Fate.Happening(time: time, template: sent))
    tell(.happening, at: time, a: sent)
    return time
  }

  /// Three devices that do nothing but use the app to the last: the dump's horizon is theirs.
  private mutating func keepHorizon(_ person: Int) {
    fate.kind = .activityOnly
    fate.entry = world.horizon - Int64(person) * 1000
    drawRelease()
    tell(.activity, at: fate.entry, a: world.names.visits[0])
  }

  private mutating func drawKind() {
    let kinds = world.profile.kinds
    let window = world.flow.windowMilliseconds
    let hasPast = world.horizon - world.start > window + 3 * World.day
    let drawn = random.unit()
    if drawn < kinds.orphans {
      fate.kind = .orphan
    } else if drawn < kinds.orphans + kinds.existing {
      fate.kind = hasPast && world.flow.existingUsers == .exclude ? .existing : .ordinary
    } else if drawn < kinds.orphans + kinds.existing + kinds.activityOnly {
      fate.kind = .activityOnly
    }
  }

  private mutating func drawArm() {
    let version = random.index(cumulated: world.versionCumulated)
    guard !world.flow.experiments.isEmpty else {
      fate.combination = 0
      fate.arm = world.armIndex(version: version, combination: 0)
      return
    }
    var combination = 0
    for experiment in world.flow.experiments {
      var drawn = random.unit()
      var choice = experiment.variants.count - 1
      for (index, variant) in experiment.variants.enumerated() {
        drawn -= variant.share
        if drawn < 0 {
          choice = index
          break
        }
      }
      combination = combination * experiment.variants.count + choice
    }
    let kinds = world.profile.kinds
    let outside = random.unit()
    let isUnassigned = outside < kinds.unassigned
    let rules = Set(world.flow.experiments.map(\.contaminated))
    let canMix = rules.count == 1 && world.flow.experiments.allSatisfy { $0.variants.count > 1 }
    let isBefore = world.versions[version].name.map(
      world.profile.versionsBeforeExperiments.contains)
    guard isBefore != true else {
      fate.arm = world.armIndex(version: version, combination: nil)
      return
    }
    fate.isContaminated =
      !isUnassigned && canMix && outside < kinds.unassigned + kinds.contaminated
    fate.isLeftOut = fate.isContaminated && rules.contains(.exclude)
    fate.combination = isUnassigned ? nil : combination
    fate.arm = world.armIndex(
      version: version, combination: isUnassigned || fate.isLeftOut ? nil : combination)
  }

  private mutating func drawIdentity() {
    let habits = world.profile.identity
    if random.chance(habits.signedIn) {
      fate.signInTime = .min
      fate.isUserOnly = world.flow.identity != .device && random.chance(0.12)
    }
    fate.hasSecondDevice = random.chance(habits.secondDevice)
  }

  /// One event of a few persons bears a wrong time: each more than a day from any other, so that
  /// they can't move the horizon.
  private mutating func drawWrongClock() {
    let rate = world.plan.rates.wrongClocks
    guard rate > 0 else { return }
    // Two at the least, so that small dumps have some as well.
    let stride = max(1, min(Int((1 / rate).rounded()), world.plan.persons / 2))
    let (ordinal, rest) = Int(fate.person).quotientAndRemainder(dividingBy: stride)
    let time = world.horizon + (100 + 2 * Int64(ordinal)) * World.day
    // Before the year 2099, which every reader takes for a time.
    guard rest == stride / 2, time < 4_070_908_800_000 else { return }
    fate.wrongClock = EventRecord(
      time: time, person: fate.person, sequence: UInt16(truncatingIfNeeded: fate.records.count),
      kind: .activity, identity: identity(at: time, .activity),
      a: UInt16(world.names.visits[0]), session: fate.session)
  }
}
