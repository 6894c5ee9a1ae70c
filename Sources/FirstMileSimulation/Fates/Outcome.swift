/// How an attempt ended.
enum Outcome: UInt8, Sendable, CaseIterable {
  case finished, skipped, abandoned

  var name: String {
    switch self {
    case .finished: "finished"
    case .skipped: "skipped"
    case .abandoned: "abandoned"
    }
  }
}
