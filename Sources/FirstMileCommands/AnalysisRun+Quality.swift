import EventInput
import ReportText

extension AnalysisRun.Dump {
  /// Reports what could not be read, for commands about single people.
  func tellUnread() {
    Console.tell(problems: problems)
    Console.tellProblems(of: summaries)
  }

  /// Ends with the exit code that says so where something could not be read: it may hold more of
  /// these people.
  func endIfUnread() throws {
    if !problems.isEmpty { throw ExitStatus.usage }
    if summaries.contains(where: { !$0.damages.isEmpty }) { throw ExitStatus.dataQuality }
  }

  /// Reports what was wrong with the input, for commands that answer one question and keep no
  /// rejects, and ends with the exit code that says so.
  func tellQuality(maximumRejectRate: Double = 0.01) throws {
    Console.tellProblems(of: summaries)
    if !problems.isEmpty { throw ExitStatus.usage }
    let lines = summaries.reduce(0) { $0 + $1.lines }
    let rejects = summaries.reduce(0) { $0 + $1.rejects }
    let faults = summaries.reduce(0) { $0 + $1.faults }
    let isOver = Double(faults) > maximumRejectRate * Double(lines)
    if rejects > 0 {
      let bound =
        isOver ? ", more than \(RateText.bound(maximumRejectRate)): don't rely on the answer" : ""
      Console.message(
        "\(NumberText.grouped(rejects)) of \(NumberText.grouped(lines)) lines could not be used"
          + "\(bound); firstmile report keeps them, firstmile validate says why")
    }
    let isEmpty = summaries.allSatisfy { $0.events == 0 }
    if isEmpty { Console.message("no event in the input: the answer is about nobody") }
    let isDamaged = summaries.contains { !$0.damages.isEmpty }
    if isEmpty || isDamaged || isOver { throw ExitStatus.dataQuality }
  }
}
