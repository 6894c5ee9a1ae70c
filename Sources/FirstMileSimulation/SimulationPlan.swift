public import FlowDefinition

/// What to simulate: whose onboarding, how many persons, and how untidy the dump is.
public struct SimulationPlan: Sendable {
  /// How long a span of time one file of the dump covers.
  public enum FileSpan: String, Sendable, CaseIterable, Codable {
    case hour, day
  }

  /// How the files are compressed.
  public enum Compression: String, Sendable, CaseIterable, Codable {
    case gzip, zstd, none
  }

  /// The onboarding that is acted out.
  public var flow: Flow
  /// Everyone in the dump: those who enter, orphans, existing users, and those only ever active.
  public var persons: Int
  /// What all chance is drawn from: an equal plan and seed give equal bytes.
  public var seed: UInt64
  /// Days from the first entry to the end of the dump; the app's own default where `nil`
  /// (90; 180 for `aiq`, whose tests come back after 80 days).
  public var days: Int?
  /// Midnight UTC of the first day, in milliseconds since 1970; default 2026-01-05.
  public var startMilliseconds: Int64
  /// How long a span one file covers, where ``files`` says nothing else.
  public var fileSpan: FileSpan
  /// Exactly so many files, split by time at whole days (or hours, where there are more files than
  /// days); one a day or an hour where `nil`.
  public var files: Int?
  /// How each file is compressed.
  public var compression: Compression
  /// Whose export the dump looks like.
  public var format = DumpFormat.canonical
  /// Times are cut to the second, as some exports do. Who was first at a second is then lost, and
  /// so `truth.json` describes the times before the cut.
  public var wholeSeconds = false
  /// Threads to work with; they change no byte.
  public var threads: Int
  /// How untidy the dump is.
  public var rates: DumpRates

  /// A plan of gzip files, one a day, with the usual untidiness and two threads.
  public init(flow: Flow, persons: Int, seed: UInt64 = 1) {
    self.flow = flow
    self.persons = persons
    self.seed = seed
    self.days = nil
    self.startMilliseconds = 1_767_571_200_000
    self.fileSpan = .day
    self.files = nil
    self.compression = .gzip
    self.threads = 2
    self.rates = DumpRates()
  }
}

/// How untidy the dump is: shares of lines, but where it says persons.
public struct DumpRates: Sendable, Hashable, Codable {
  /// Lines delivered a second time, byte for byte, half of them in another file.
  public var duplicates = 0.01
  /// Lines that arrive in a later file than their time belongs to.
  public var late = 0.01
  /// Lines that stand up to ten minutes away from their place in time.
  public var outOfOrder = 0.03
  /// Broken lines, written beside the good ones.
  public var broken = 0.002
  /// Persons one of whose events bears a time far in the future.
  public var wrongClocks = 0.001

  /// The usual shares, as the properties' defaults have them.
  public init() {}

  /// A dump without any of it.
  public static var tidy: DumpRates {
    var rates = DumpRates()
    rates.duplicates = 0
    rates.late = 0
    rates.outOfOrder = 0
    rates.broken = 0
    rates.wrongClocks = 0
    return rates
  }
}
