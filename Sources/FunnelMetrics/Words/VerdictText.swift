internal import ExperimentStatistics
internal import ReportText

/// What an experiment says about one metric, in a word.
package struct VerdictText {
  package enum Tone {
    case good, bad, neutral
  }
  package let word: String
  package let tone: Tone
  /// How many more persons the comparison needs, both groups together, where that is known.
  package let missingPersons: Int?
  private let comparison: MetricComparison

  package init(_ comparison: MetricComparison) {
    self.comparison = comparison
    let lowerIsBetter = comparison.lowerIsBetter
    switch comparison.verdict {
    case .higher: (word, tone) = lowerIsBetter ? ("worse", .bad) : ("better", .good)
    case .lower: (word, tone) = lowerIsBetter ? ("better", .good) : ("worse", .bad)
    case .noneShown:
      (word, tone) = (
        comparison.role.margin == nil ? "no difference shown" : "not shown to hold", .neutral
      )
    case .tooEarly: (word, tone) = ("too early", .neutral)
    case .withinMargin: (word, tone) = ("holds", .good)
    case .beyondMargin: (word, tone) = ("violated", .bad)
    case nil:
      (word, tone) = (comparison.isRandomised ? "no verdict" : "not randomised", .neutral)
    }
    if case .tooEarly(let missing?) = comparison.verdict {
      missingPersons = missing.total
    } else {
      missingPersons = nil
    }
  }

  /// The verdict with what it rests on: the margin that is excluded, or what is missing.
  ///
  /// - Parameter perWeek: how many people start in both variants a week; `nil` where unknown.
  package func sentence(perWeek: Double?) -> String {
    if let margin = comparison.role.margin {
      return word + basis(ofGuardrail: RateText.bound(margin))
    }
    switch comparison.verdict {
    case .noneShown:
      guard let bounds = comparison.difference.value?.interval else { return word }
      return "\(word) (a change beyond \(RateText.signedNumber(bounds.lower)) to "
        + "\(RateText.signedNumber(bounds.upper)) points is excluded)"
    case .tooEarly:
      if comparison.phase != nil {
        guard let missingPersons, missingPersons > 0 else {
          return "\(word), the window of some of the planned people is still open"
        }
        return "\(word), \(NumberText.grouped(missingPersons)) more people are planned"
      }
      if comparison.isTooYoung { return "\(word), \(Self.tooYoung)" }
      guard let missingPersons else {
        return comparison.unplannable.map { "\(word), \($0): \(Self.notKnown)" }
          ?? "\(word), no number of people could show the lift that is looked for"
      }
      let needs = MissingPersonsText.needs(
        missingPersons, lift: comparison.targetLift, of: comparison.comparedRates.control,
        perWeek: perWeek)
      return "\(word), \(needs)"
    case .higher, .lower, .withinMargin, .beyondMargin, nil: return word
    }
  }

  package static let notKnown = "how many people it takes is not known"
  private static let tooYoung = "the time that it takes is over for nobody yet"

  /// What the verdict on a guardrail rests on.
  private func basis(ofGuardrail margin: String) -> String {
    switch comparison.verdict {
    case .withinMargin: " (a loss of \(margin) or more is excluded)"
    case .beyondMargin: " (the loss is larger than \(margin))"
    case .noneShown: " (a loss of \(margin) is not excluded)"
    case .tooEarly where comparison.isTooYoung: " (\(Self.tooYoung))"
    case .tooEarly:
      comparison.phase != nil
        ? " (a loss of \(margin) is not excluded yet)"
        : missingPersons.map {
          " (needs about \(NumberText.grouped($0)) more people to exclude a loss of \(margin))"
        }
          ?? comparison.unplannable.map { " (\($0): \(Self.notKnown))" }
          ?? " (no number of people could exclude a loss of \(margin))"
    case .higher, .lower, nil: ""
    }
  }
}
