package import FlowDefinition
internal import ReportText

/// What people call an experiment and its variants: the titles of the flow file, safe to print.
package struct ExperimentNames {
  private let id: String
  private let flow: Flow

  package init(_ id: String, _ flow: Flow) {
    self.id = id
    self.flow = flow
  }

  package var title: String { SafeText.name(flow.title(ofExperiment: id), limit: 60) }

  /// `3-screen flow`, or `(unassigned)` and the like as they are.
  package func variant(_ variant: String, limit: Int = 40) -> String {
    SafeText.name(flow.title(ofVariant: variant, in: id), limit: limit)
  }

  /// Whether it is called otherwise than in events.
  package func hasTitle(_ variant: String) -> Bool {
    flow.title(ofVariant: variant, in: id) != variant
  }

  /// `Ship: 3-screen flow (experiment Length)`, where nothing beside it names the experiment.
  package func naming(_ brief: String) -> String { "\(brief) (experiment \(title))" }

  /// `3-screen flow against 5-screen flow`
  package func pair(_ variant: String, _ control: String) -> String {
    "\(self.variant(variant)) against \(self.variant(control))"
  }
}

extension Analysis {
  package func names(ofExperiment id: String) -> ExperimentNames { ExperimentNames(id, flow) }
}
