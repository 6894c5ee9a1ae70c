/// How an experiment that is looked at every day and decided at a planned size spends alpha.
///
/// The looks at an always-valid sequence have a share of it, the single look at the planned size
/// the rest. By the union of both the chance that any look raises a false alarm is at most alpha,
/// whatever looks are taken. A p-value is divided by the share that it may spend, which makes
/// values of both kinds comparable with one alpha, also by Holm's procedure.
///
/// Spending a fifth before the end follows Haybittle (British Journal of Radiology 44, 1971) and
/// Peto and others (British Journal of Cancer 34, 1976), who keep most of alpha for the end; unlike
/// a spending function (Lan and DeMets, Biometrika 70, 1983) it needs no record of earlier looks.
public enum AlphaSpending {
  /// The share of alpha of all looks before the planned size.
  public static let watchedShare = 0.2
  /// The share of the look at the planned size.
  public static let plannedShare = 1 - watchedShare
}
