import FirstMile
import ReportText

extension TallyFiles {
  /// Reports what was wrong with the inputs when they were read.
  ///
  /// - Throws: the exit code that says so.
  static func finish(_ written: WrittenTally, _ maxRejectRate: Share) throws {
    for source in written.sources {
      for problem in source.problems { Console.message("\(source.name): \(problem)") }
      if let misnaming = source.misnaming { Console.message("\(source.name): \(misnaming)") }
    }
    let lines = written.sources.reduce(0) { $0 + $1.lines }
    let rejects = written.sources.reduce(0) { $0 + $1.rejectCount }
    if rejects > 0 {
      Console.message(
        "\(NumberText.grouped(rejects)) of \(NumberText.grouped(lines)) lines could not be used; "
          + "`firstmile partition` kept those that no flow could use")
    }
    if written.sources.contains(where: \.isUnreadable) { throw ExitStatus.usage }
    if written.sources.allSatisfy({ $0.events == 0 }) {
      Console.message("no event in the input: all numbers are zeros")
      throw ExitStatus.dataQuality
    }
    if written.sources.contains(where: \.isDamaged) {
      Console.message(
        "part of the input is damaged: what could be read is counted, the rest is lost")
      throw ExitStatus.dataQuality
    }
    let faults = written.sources.reduce(0) { $0 + $1.faultCount }
    if Double(faults) > maxRejectRate.fraction * Double(lines) {
      Console.message(
        "more than the accepted share of lines are rejects (--max-reject-rate \(maxRejectRate))")
      throw ExitStatus.dataQuality
    }
  }
}
