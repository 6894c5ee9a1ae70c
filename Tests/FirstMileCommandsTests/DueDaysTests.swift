import Foundation
import FunnelReport
import Testing

@testable import FirstMileCommands

/// Which days a watch reports on.
@Suite struct DueDaysTests {
  private func due(
    _ complete: ClosedRange<Int>, backlog: Int = 30, history: Set<Int> = [],
    folders: DayFolders? = nil
  ) -> [DueDays.Day] {
    DueDays.of(complete: complete, backlog: backlog, history: history, folders: folders)
  }

  private func days(_ forHistory: [Int], _ reported: [Int]) -> [DueDays.Day] {
    (forHistory.map { DueDays.Day(number: $0, isForHistory: true) }
      + reported.map { DueDays.Day(number: $0, isForHistory: false) })
      .sorted { $0.number < $1.number }
  }

  @Test func `at first the newest day is reported, and those before it are for the history`() {
    #expect(due(1...5) == days([1, 2, 3, 4], [5]))
    #expect(due(1...5, folders: DayFolders()) == days([1, 2, 3, 4], [5]))
    #expect(due(1...5, backlog: 2, folders: DayFolders()) == days([3, 4], [5]))
    #expect(due(1...5, backlog: 0, folders: DayFolders()) == days([], [5]))
  }

  @Test func `what is reported is not reported again`() {
    #expect(due(1...5, history: [5]) == [])
    #expect(due(1...5, history: [5], folders: DayFolders(finished: [5])) == [])
  }

  @Test func `each day after the last folder gets one`() {
    let folders = DayFolders(finished: [3])
    #expect(due(1...6, history: [1, 2, 3], folders: folders) == days([], [4, 5, 6]))
    // Also where the history has them, from a watch without folders.
    #expect(due(1...6, history: [1, 2, 3, 4, 5, 6], folders: folders) == days([], [4, 5, 6]))
    #expect(due(1...6, backlog: 1, history: [1, 2, 3], folders: folders) == days([], [5, 6]))
  }

  @Test func `a folder that was taken away stays away`() {
    let folders = DayFolders(finished: [2, 5])
    #expect(due(1...5, history: [1, 2, 3, 4, 5], folders: folders) == [])
  }

  @Test func `a folder that a run left is replaced`() {
    var folders = DayFolders(finished: [2, 5], unfinished: [4])
    #expect(due(1...5, history: [1, 2, 3, 4, 5], folders: folders) == days([], [4]))
    folders = DayFolders(unfinished: [5])
    #expect(due(1...5, history: [5], folders: folders) == days([], [5]))
  }

  @Test func `a report that may not be listed is made again`() {
    var folders = DayFolders(finished: [5])
    folders.unlisted = 5
    #expect(due(1...5, history: [5], folders: folders) == days([], [5]))
  }

  @Test func `a report that is not in the history is made again`() {
    let folders = DayFolders(finished: [3, 4, 5])
    #expect(due(1...5, history: [2, 3], folders: folders) == days([4], [5]))
  }

  @Test func `a report of a day to come hides nothing`() {
    #expect(due(1...5, history: [3, 300]) == days([4], [5]))
  }

  @Test func `folders are known by what is in them`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-days-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func put(_ name: String, _ text: String = "") {
      let path = "\(folder)/\(name)"
      #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }
    for (name, files) in [
      ("2026-03-01", ["report.html"]), ("2026-03-02", []), ("2026-03-03", [".DS_Store"]),
      ("2026-03-04", ["metrics.csv", ".report.html.firstmile.part"]),
      ("2026-03-05", ["metrics.json"]), ("notes", ["report.html"]),
    ] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      for file in files { put("\(name)/\(file)") }
    }
    put("2026-03-06")
    let found = DayFolders(folder)
    #expect(Set(found.finished.map(Moment.day)) == ["2026-03-01", "2026-03-05"])
    #expect(
      Set(found.unfinished.map(Moment.day)) == ["2026-03-02", "2026-03-03", "2026-03-04"])
    #expect(found.unlisted.map(Moment.day) == "2026-03-05")
    put("latest.html", ReportIndex.forwarding(to: "2026-03-01/report.html"))
    #expect(DayFolders(folder).unlisted.map(Moment.day) == "2026-03-05")
    put("latest.html", ReportIndex.forwarding(to: "2026-03-05/report.html"))
    #expect(DayFolders(folder).unlisted == nil)
  }
}
