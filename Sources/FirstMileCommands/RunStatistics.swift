import EventInput
import Foundation
import ReportText
import Timelines

/// What a run did and cost: the last line on standard error with `--stats` or `--stats-json`.
struct RunStatistics {
  private let start = ContinuousClock.now

  /// For people.
  func text(_ dump: AnalysisRun.Dump, persons: Int) -> String {
    let figures = Figures(dump, persons: persons, seconds: seconds)
    let rate = Int(Double(figures.textBytes) / 1_000_000 / figures.seconds)
    let time = NumberText.fixed(figures.seconds, decimals: 2) ?? ""
    let processor = NumberText.fixed(figures.processorSeconds, decimals: 2) ?? ""
    return
      "\(Console.grouped(figures.events)) events, \(Console.grouped(figures.persons)) persons, "
      + "\(Console.grouped(figures.rejects)) rejects in \(time) s "
      + "(\(Console.grouped(rate)) MB/s of text; \(processor) s of processor time); "
      + "peak memory \(figures.peakBytes / 1_048_576) MiB"
  }

  /// For programs: one object on one line.
  func json(_ dump: AnalysisRun.Dump, persons: Int) -> String {
    let figures = Figures(dump, persons: persons, seconds: seconds)
    func number(_ value: Double) -> String { NumberText.format(value) ?? "null" }
    let members = [
      ("events", String(figures.events)), ("persons", String(figures.persons)),
      ("rejects", String(figures.rejects)), ("seconds", number(figures.seconds)),
      ("processor_seconds", number(figures.processorSeconds)),
      ("input_bytes", String(figures.inputBytes)), ("text_bytes", String(figures.textBytes)),
      (
        "text_megabytes_per_second",
        number(Double(figures.textBytes) / 1_000_000 / figures.seconds)
      ),
      ("peak_memory_bytes", String(figures.peakBytes)),
    ]
    return "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}\n"
  }

  private var seconds: Double { max(0.000_001, (ContinuousClock.now - start) / .seconds(1)) }

  private struct Figures {
    var events: Int
    var persons: Int
    var rejects: Int
    var inputBytes: Int
    var textBytes: Int
    var seconds: Double
    var processorSeconds: Double
    var peakBytes: Int

    init(_ dump: AnalysisRun.Dump, persons: Int, seconds: Double) {
      func sum(_ figure: (SourceSummary) -> Int) -> Int {
        dump.summaries.reduce(0) { $0 + figure($1) }
      }
      events = sum(\.events)
      self.persons = persons
      rejects = sum(\.rejects)
      inputBytes = sum(\.compressedBytes)
      textBytes = sum(\.uncompressedBytes)
      self.seconds = seconds
      var usage = rusage()
      #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        peakBytes = usage.ru_maxrss
      #else
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        // `ru_maxrss` also counts what the process that became this one had.
        peakBytes = Self.peakOfProgram ?? usage.ru_maxrss * 1024
      #endif
      func span(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
      processorSeconds = span(usage.ru_utime) + span(usage.ru_stime)
    }

    /// The most memory since the program began, as Linux counts it (`VmHWM`).
    private static var peakOfProgram: Int? {
      let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
      return kilobytes.flatMap { Int($0) }.map { $0 * 1024 }
    }
  }
}
