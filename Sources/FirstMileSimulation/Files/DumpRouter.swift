/// Decides in which file each line stands, and makes the dump as untidy as the plan wants it.
///
/// It has a source of chance of its own, so that untidiness changes no one's fate.
struct DumpRouter {
  let plan: SimulationPlan
  let calendar: FileCalendar
  private(set) var files: [[EventRecord]]
  private(set) var lines = LineTruth()
  private var random = RandomSource(seed: 0, stream: 0)

  init(_ plan: SimulationPlan, _ calendar: FileCalendar) {
    self.plan = plan
    self.calendar = calendar
    files = Array(repeating: [], count: calendar.names.count)
  }

  mutating func route(_ fate: Fate) {
    random = RandomSource(seed: plan.seed ^ 0x7265_6C61_7965_6421, stream: UInt64(fate.person))
    for record in fate.records { route(record, at: record.time, canBreak: true) }
    if let record = fate.wrongClock {
      lines.misdated += 1
      route(record, at: fate.records.last?.time ?? fate.entry, canBreak: false)
    }
  }

  private mutating func route(_ record: EventRecord, at time: Int64, canBreak: Bool) {
    var record = record
    let rates = plan.rates
    var file = calendar.file(at: time)
    if random.chance(rates.late), let later = later(than: file) {
      file = later
      lines.late += 1
    } else if random.chance(rates.outOfOrder) {
      let shift = 1 + random.below(600)
      record.shift = Int16(random.chance(0.5) ? shift : -shift)
      lines.outOfOrder += 1
    }
    files[file].append(record)
    lines.written += 1
    lines.events += 1
    if random.chance(rates.duplicates) {
      let elsewhere = random.chance(0.5) ? later(than: file) : nil
      files[elsewhere ?? file].append(record)
      lines.written += 1
      lines.events += 1
      lines.duplicates += 1
    }
    if canBreak, random.chance(rates.broken) { addBroken(beside: record, in: file) }
  }

  private mutating func later(than file: Int) -> Int? {
    let rest = calendar.names.count - 1 - file
    return rest > 0 ? file + 1 + random.below(min(3, rest)) : nil
  }

  private mutating func addBroken(beside record: EventRecord, in file: Int) {
    let kind = BrokenLine.allCases[random.below(BrokenLine.allCases.count)]
    var broken = record
    broken.kind = .broken
    broken.sequence = record.sequence | 0x8000
    broken.a = kind.rawValue
    broken.b = UInt16(random.below(1 << 15))
    files[file].append(broken)
    lines.written += 1
    lines.broken[kind.reason, default: 0] += 1
  }
}
