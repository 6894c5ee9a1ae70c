extension RecordedReport {
  /// The fingerprint of each metric and step.
  package var fingerprints: [Rate: String] {
    Dictionary(
      metricFingerprints.flatMap { print in print.names.map { ($0, print.fingerprint) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The rate that says all that a rate says, where there is one.
  var repetitions: [Rate: Rate] {
    let earlier = metricFingerprints.compactMap { print in
      print.repeats.flatMap { first in print.names.first.map { ($0, first) } }
    }
    return Dictionary(
      (repeatedRates ?? []).map { ($0.rate, $0.repeats.rate) } + earlier,
      uniquingKeysWith: { first, _ in first })
  }
}
