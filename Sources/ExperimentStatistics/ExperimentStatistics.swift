// ExperimentStatistics stands beside the data path: FunnelEngine counts, and FunnelReport hands
// those counts to this target to learn how sure one may be of them. It is pure numerics: integers
// and shares go in, estimates, intervals and p-values come out. No file, clock, locale or random
// draw is touched, so the same counts give the same digits everywhere.
//
// Three rules hold throughout:
//
// 1. What can't be estimated is `.unavailable(reason)`, never 0, 1, NaN or an infinity.
// 2. No input traps: counts out of range are clamped, levels out of range are a reason.
// 3. For two proportions the test, the interval of the difference and the interval of the ratio
//    come from one statistic (`ScoreStatistic`), so at one level they never contradict.
