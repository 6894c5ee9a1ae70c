/// A finding before it is ranked.
struct FindingDraft {
  var kind: Finding.Kind
  var tone: Finding.Tone = .neutral
  /// In plain words, with at most its main number.
  var claim: Sentence
  /// What stands in grey behind the claim.
  var detail: Sentence = Sentence([])
  /// What stays of the detail where there is no room for all of it.
  var short: Sentence = Sentence([])
  /// The chart on the page that shows it.
  var chart: ChartID?
  /// What a picture of it draws; `nil` where words say it all.
  var subject: FindingSubject?
  /// Found something that no other finding of its kind says: a variant that won, a step that stands
  /// out in one version.
  var isOfItsOwn = false
}
