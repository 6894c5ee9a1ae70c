internal import FlowDefinition
public import FunnelEngine
internal import ReportText

/// A slip of the pen in a funnel, in words: what was never seen, and the nearest that was.
public enum UnseenSentence {
  /// - Parameter candidates: what may have been meant.
  public static func of(_ unseen: UnseenName, candidates: Set<String>) -> String {
    let what =
      switch unseen.kind {
      case .event: "'\(shown(unseen.name))' was never seen"
      case .property(let event): "'\(shown(event))' never has '\(shown(unseen.name))'"
      case .value(let property, let event):
        "'\(shown(property))' of '\(shown(event))' is never '\(shown(unseen.name))'"
      }
    let near = nearest(unseen.name, among: ByteOrder.sorted(candidates))
    return what + (near.map { "; did you mean '\(shown($0))'?" } ?? "")
  }

  private static func shown(_ name: String) -> String { SafeText.name(name, limit: 100) }

  /// By spelling; else by the last words of longer names (`page_viewd`: `onboarding_page_viewed`);
  /// else by the beginning.
  private static func nearest(_ name: String, among candidates: [String]) -> String? {
    if let near = NearestSpelling.of(name, among: candidates) { return near }
    let words = name.split(separator: "_").count
    let ends = candidates.map { $0.split(separator: "_").suffix(words).joined(separator: "_") }
    if let place = ends.firstIndex(of: name) { return candidates[place] }
    if let end = NearestSpelling.of(name, among: ends), let place = ends.firstIndex(of: end) {
      return candidates[place]
    }
    return NearestName.of(name, among: candidates)
  }
}
