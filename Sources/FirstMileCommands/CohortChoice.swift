import ArgumentParser
import FunnelEngine

/// `--cohorts`.
enum CohortChoice: String, ExpressibleByArgument, CaseIterable {
  case day, week, month

  var unit: EvaluationOptions.CohortUnit {
    switch self {
    case .day: .day
    case .week: .week
    case .month: .month
    }
  }
}
