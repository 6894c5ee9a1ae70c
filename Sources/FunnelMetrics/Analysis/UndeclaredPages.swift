package import FlowDefinition
package import FunnelEngine

/// Views of pages that no step is, as far as they should be of one.
///
/// With `other_pages: ignore` an app's other screens are no mistake. But a page that is called like
/// a step but for capitals, spaces, dashes and underscores is that step, written in two ways: its
/// views are missing from the step's numbers.
package struct UndeclaredPages {
  /// By the page's name.
  package let views: [String: Int]
  /// Of steps and of such pages.
  package let viewsOfPages: Int

  package init(_ quality: QualityCounts, of flow: Flow) {
    let steps = Set(flow.steps.map { UndeclaredPages.folded($0.id) })
    let views =
      flow.ignoresOtherPages
      ? quality.undeclaredPages.filter { steps.contains(UndeclaredPages.folded($0.key)) }
      : quality.undeclaredPages
    self.views = views
    viewsOfPages = quality.viewsOfStep.reduce(0, +) + views.values.reduce(0, +)
  }

  package var count: Int { views.values.reduce(0, +) }

  private static func folded(_ name: String) -> String {
    String(name.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" })
  }
}
