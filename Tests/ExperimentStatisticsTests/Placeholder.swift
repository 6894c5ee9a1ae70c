import Testing
@testable import ExperimentStatistics
