// ExperimentStatistics
