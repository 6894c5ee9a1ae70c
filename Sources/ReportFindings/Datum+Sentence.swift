internal import ReportText
internal import FunnelMetrics

/// Numbers of a row in the words of ``RateText``.
extension Datum {
  /// `12,400`, of the row's own count.
  var saidCount: Sentence { said(row.numerator, .numerator) }

  var saidTotal: Sentence { said(row.denominator, .denominator) }

  private func said(_ count: Int?, _ field: Datum.Field) -> Sentence {
    Sentence(NumberText.grouped(count ?? 0), count == nil ? nil : self, field)
  }

  /// `(53/63)`
  var saidCounts: Sentence { "(\(saidCount)/\(saidTotal))" }

  /// `84.1 %`
  var saidRate: Sentence { said { RateText.percent($0) } }

  /// `2 min 5 s`
  var saidDuration: Sentence { said { RateText.duration($0) } }

  /// `+3.4`
  var saidSigned: Sentence { said { RateText.signedNumber($0) } }

  /// The row's value, as `text` writes it.
  package func said(_ text: (Double) -> String) -> Sentence {
    guard let value = row.value else { return "–" }
    return Sentence(text(value), self, .value)
  }

  /// `84.1 % (53/63), 95 % CI 73.2–91.1 %`
  var saidFully: Sentence {
    guard row.value != nil else { return "no rate \(saidCounts)" }
    guard let interval = saidInterval else { return "\(saidRate) \(saidCounts)" }
    return "\(saidRate) \(saidCounts), \(RateText.level(row.level)) CI \(interval)"
  }

  /// `73.2–91.1 %`, or `−1.3 to +2.0 %` where it may be negative.
  var saidInterval: Sentence? {
    guard let low = row.low, let high = row.high else { return nil }
    if low < 0 {
      let low = Sentence(RateText.signedNumber(low), self, .low)
      return "\(low) to \(Sentence(RateText.signedNumber(high), self, .high)) %"
    }
    let lower = Sentence(RateText.number(low), self, .low)
    return "\(lower)–\(Sentence(RateText.number(high), self, .high)) %"
  }

  /// A difference in percentage points: `+3.4 points, 95 % CI +0.9 to +5.9`.
  package var saidPoints: Sentence {
    guard let low = row.low, let high = row.high else { return "\(saidSigned) points" }
    let lower = Sentence(RateText.signedNumber(low), self, .low)
    let upper = Sentence(RateText.signedNumber(high), self, .high)
    return "\(saidSigned) points, \(RateText.level(row.level)) CI \(lower) to \(upper)"
  }

  /// A difference of durations: `+12 s, 95 % CI +8 s to +1 min 3 s`.
  var saidSeconds: Sentence {
    guard let low = row.low, let high = row.high else {
      return said { RateText.signedDuration($0) }
    }
    let lower = Sentence(RateText.signedDuration(low), self, .low)
    let upper = Sentence(RateText.signedDuration(high), self, .high)
    let level = RateText.level(row.level)
    return "\(said { RateText.signedDuration($0) }), \(level) CI \(lower) to \(upper)"
  }

  /// `p = 0.031`, `p < 0.0001`
  var saidProbability: Sentence? {
    guard let value = row.value else { return nil }
    let text = RateText.p(value)
    // `p = ` is words; of `p < 0.0001` the sign belongs to the number.
    let words = text.hasPrefix("p = ") ? "p = " : "p "
    return "\(words)\(Sentence(String(text.dropFirst(words.count)), self, .value))"
  }
}
