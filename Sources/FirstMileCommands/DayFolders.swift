import Foundation
import FunnelReport

/// The folders that a flow has in `--out`, one a day.
struct DayFolders {
  /// Days with a report; also where somebody has taken files of it away.
  var finished: Set<Int> = []
  /// Days whose report a run began that was ended: the folder is empty, or has files that are not
  /// in their places.
  var unfinished: Set<Int> = []
  /// The last day with a report, where `latest.html` leads neither to it nor to a later day: it may
  /// not be listed.
  var unlisted: Int?

  init(finished: Set<Int> = [], unfinished: Set<Int> = []) {
    (self.finished, self.unfinished) = (finished, unfinished)
  }

  /// Looks at the days' folders in a flow's.
  init(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names {
      guard let day = Moment.dayNumber(name), ReportFolder.isFolder("\(folder)/\(name)"),
        let files = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")
      else { continue }
      let isBegun = files.contains { $0.hasSuffix(".firstmile.part") }
      if isBegun || files.allSatisfy({ $0.hasPrefix(".") }) {
        unfinished.insert(day)
      } else {
        finished.insert(day)
      }
    }
    guard let last = finished.max() else { return }
    let link = FileManager.default.contents(atPath: "\(folder)/latest.html")
    let isListed = finished.union(unfinished).contains { day in
      day >= last
        && link == Data(ReportIndex.forwarding(to: "\(Moment.day(day))/report.html").utf8)
    }
    if !isListed { unlisted = last }
  }
}
