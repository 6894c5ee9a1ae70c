/// Which file of the dump a moment belongs to, and what the files are called.
///
/// Files begin at whole days, or at whole hours where they span hours or there are more of them
/// than days.
struct FileCalendar: Sendable {
  let names: [String]
  private let start: Int64
  private let unit: Int64
  /// By unit of time: the file.
  private let files: [Int]

  init(_ plan: SimulationPlan, days: Int) throws(SimulationError) {
    start = plan.startMilliseconds
    let wanted = plan.files ?? (plan.fileSpan == .day ? days : 24 * days)
    guard (1...(24 * days)).contains(wanted) else {
      throw .invalidPlan(name: "files", value: "\(wanted)", allowed: "1 to \(24 * days)")
    }
    let isHourly = wanted > days || (plan.fileSpan == .hour && plan.files == nil)
    unit = isHourly ? World.day / 24 : World.day
    let units = isHourly ? 24 * days : days
    let suffix =
      switch plan.compression {
      case .gzip: ".ndjson.gz"
      case .zstd: ".ndjson.zst"
      case .none: ".ndjson"
      }
    var files = Array(repeating: 0, count: units)
    var names: [String] = []
    for file in 0..<wanted {
      let first = file * units / wanted
      for covered in first..<((file + 1) * units / wanted) { files[covered] = file }
      names.append(FileCalendar.name(start + Int64(first) * unit, isHourly) + suffix)
    }
    self.files = files
    self.names = names
  }

  func file(at time: Int64) -> Int {
    let index = DayClock.floor(time - start, unit)
    return files[min(files.count - 1, max(0, Int(index)))]
  }

  private static func name(_ time: Int64, _ isHourly: Bool) -> String {
    let date = CivilDate(day: DayClock.floor(time, World.day))
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let name = "\(date.year)-\(two(date.month))-\(two(date.day))"
    let hour = (time - DayClock.floor(time, World.day) * World.day) / 3_600_000
    return isHourly ? "\(name)T\(two(hour))" : name
  }
}

/// A date of the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date
/// algorithms", civil_from_days).
struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  /// - Parameter day: days since 1970-01-01.
  init(day: Int64) {
    let shifted = day + 719_468
    let era = DayClock.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
