internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// Whether completion differs between groups of people, where their rates stand side by side.
package enum GroupWords {
  /// `Completion is clearly lower for “small” (device class) than for all other people …` or that
  /// none differs; `nil` where no group could be judged. Releases have verdicts of their own.
  package static func sentence(_ groups: CompletionGroups?, _ analysis: Analysis) -> String? {
    guard let groups else { return nil }
    guard !groups.standingOut.isEmpty else {
      let aside = BreakdownPanel.all(analysis).contains(where: \.isRelease)
      return
        "No group that is known at the start differs clearly in completion from all others"
        + " (tests adjusted for the number of groups)."
        + (aside ? " Releases are compared below." : "")
    }
    func names(_ isHigher: Bool) -> String? {
      let names = groups.standingOut.filter { $0.isHigher == isHigher }.map { group in
        "“\(SafeText.name(PlainName.of(group.slice.breakdown.value), limit: 30))” "
          + "(\(group.panel.name(analysis.flow)))"
      }
      return names.isEmpty ? nil : "\(isHigher ? "higher" : "lower") for \(names.listed)"
    }
    let parts = [names(true), names(false)].compactMap(\.self).listed
    return "Completion is clearly \(parts) than for all other people (tests adjusted for the "
      + "number of groups)."
  }
}
