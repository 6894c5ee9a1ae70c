internal import FunnelMetrics

/// A number as a reader sees it, with the mark that says where it comes from.
struct Shown: Sendable {
  let text: String
  let mark: DataMark?

  init(_ text: String, _ mark: DataMark? = nil) {
    self.text = text
    self.mark = mark
  }

  /// With the unit behind it, where no head of a column has it.
  func with(_ unit: String) -> Shown { Shown("\(text)\u{A0}\(unit)", mark) }

  /// A count that is not a row of the metrics.
  static func count(_ count: Int) -> Shown { Shown(DisplayText.count(count)) }
}

extension Datum {
  /// `84.1 %`
  var rate: Shown? {
    row.value.map { Shown(DisplayText.percent($0), DataMark(self, .value)) }
  }
  /// `12 400`
  var count: Shown? {
    row.numerator.map { Shown(DisplayText.count($0), DataMark(self, .numerator)) }
  }
  var total: Shown? {
    row.denominator.map { Shown(DisplayText.count($0), DataMark(self, .denominator)) }
  }
  var low: Shown? { row.low.map { Shown(DisplayText.percentNumber($0), DataMark(self, .low)) } }
  var high: Shown? { row.high.map { Shown(DisplayText.percentNumber($0), DataMark(self, .high)) } }
  /// `2 min 5 s`
  var seconds: Shown? {
    row.value.map { Shown(DisplayText.duration($0), DataMark(self, .value)) }
  }
  /// `4.37`
  var amount: Shown? {
    row.value.map { Shown(DisplayText.amount($0), DataMark(self, .value)) }
  }
  var amountLow: Shown? { row.low.map { Shown(DisplayText.amount($0), DataMark(self, .low)) } }
  var amountHigh: Shown? { row.high.map { Shown(DisplayText.amount($0), DataMark(self, .high)) } }
  /// `+3.4 pp`
  var points: Shown? {
    row.value.map { Shown(DisplayText.signed($0) + "\u{A0}pp", DataMark(self, .value)) }
  }
  /// `+5.4 %`
  var lift: Shown? {
    row.value.map { Shown(DisplayText.signed($0) + "\u{A0}%", DataMark(self, .value)) }
  }
  /// `0.031`
  var probability: Shown? {
    row.value.map { Shown(DisplayText.probability($0), DataMark(self, .value)) }
  }
  var signedLow: Shown? { row.low.map { Shown(DisplayText.signed($0), DataMark(self, .low)) } }
  var signedHigh: Shown? { row.high.map { Shown(DisplayText.signed($0), DataMark(self, .high)) } }
  var secondsLow: Shown? {
    row.low.map { Shown(DisplayText.signedDuration($0), DataMark(self, .low)) }
  }
  var secondsHigh: Shown? {
    row.high.map { Shown(DisplayText.signedDuration($0), DataMark(self, .high)) }
  }
  var signedSeconds: Shown? {
    row.value.map { Shown(DisplayText.signedDuration($0), DataMark(self, .value)) }
  }
}
