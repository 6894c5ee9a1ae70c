/// A command line to run after a failure, ready for a shell.
package struct GateCommand: Sendable, Hashable {
  /// What it is for.
  package enum Purpose: String, Sendable, Hashable, CaseIterable {
    case reproduce, explain, accept, drop

    /// As a heading says it.
    package var words: String {
      switch self {
      case .reproduce: "reproduce it"
      case .explain: "see who it is about"
      case .accept: "accept the new level as the baseline"
      case .drop: "take damaged files out of the store, once they are in whole under other names"
      }
    }
  }

  package var purpose: Purpose
  package var text: String

  package init(_ purpose: Purpose, _ text: String) {
    self.purpose = purpose
    self.text = text
  }
}
