internal import Yams

/// A step as the file declares it, before the step it branches off is known.
struct DeclaredStep {
  var step: Step
  var place: SourcePlace?
  var branchOf: Node?
}

/// An item of a step list: the id it names and where.
struct StepReference {
  var id: String
  var node: Node
}

/// Steps, and the lists of versions and variants.
extension FlowBuilder {
  /// Reads every list first, so that a step may be declared in any of them, then resolves them.
  mutating func readLists(_ file: MappingReader) {
    let newest =
      file.required("steps", in: "a flow file").flatMap {
        stepList($0, "'steps'", declaresNames: true)
      } ?? []
    let versions = readVersionReferences(file)
    let experiments = readExperimentDrafts(file)
    _ = diagnostics.limited(declared, .steps, place: \.place)
    diagnostics.warn(ofSpellings: declared.map(\.step.id), "step") { declared[$0].place }
    flow.steps = declared.map(\.step)
    resolveBranches()
    flow.defaultList = indices(newest)
    flow.versions = versions.map {
      VersionList(
        name: $0.name, steps: indices($0.list), expectedTotalMilliseconds: $0.expectedTotal)
    }
    readNewestVersion(file)
    let newestName = [flow.newestVersion].compactMap { $0 }
    diagnostics.warn(ofSpellings: flow.versions.map(\.name) + newestName, "version") { _ in
      file.keyMark("versions")
    }
    flow.experiments = experiments.map { draft in
      var experiment = draft.experiment
      for (variant, list) in draft.lists {
        experiment.variants[variant].steps = indices(list)
      }
      return experiment
    }
    plans = experiments.enumerated().map { index, draft in
      PlanDraft(
        experiment: index, what: "experiment '\(draft.experiment.id)'", reader: draft.reader)
    }
  }

  /// Reads a list of step ids and step maps; a map declares its step. In `steps` a bare id does
  /// too, elsewhere it refers to a step declared in some list.
  mutating func stepList(_ node: Node, _ what: String, declaresNames: Bool) -> [StepReference]? {
    guard let nodes = diagnostics.list(node, what) else { return nil }
    if nodes.isEmpty {
      diagnostics.error("\(what) has no steps", at: node.place, found: "an empty list")
    }
    guard nodes.count <= FlowLimit.steps.maximum else {
      diagnostics.tooMany(.steps, nodes.count, at: nodes[FlowLimit.steps.maximum].place)
      return nil
    }
    var references: [StepReference] = []
    var known: Set<String> = []
    for item in nodes {
      let reference: StepReference?
      if item.mapping != nil {
        reference = declareStep(item)
      } else {
        let id = diagnostics.identifier(item, "a step of \(what)")
        reference = id.map { StepReference(id: $0, node: item) }
        if let id, declaresNames, stepIndices[id] == nil {
          declare(DeclaredStep(step: Step(id: id), place: item.place))
        }
      }
      guard let reference else { continue }
      if !known.insert(reference.id).inserted {
        // A second map of the same id was already reported as declared twice.
        if item.mapping == nil {
          diagnostics.error(
            "step '\(reference.id)' stands twice in \(what)", at: item.place,
            found: reference.id)
        }
      } else {
        references.append(reference)
      }
    }
    return references
  }

  private mutating func declareStep(_ node: Node) -> StepReference? {
    let keys = ["id", "title", "expected", "branch_of", "optional", "asks"]
    guard let reader = MappingReader(node, what: "a step", allowed: keys, diagnostics),
      let id = reader.identifier("id", in: "a step"), let idNode = reader.node("id")
    else { return nil }
    let step = Step(
      id: id, title: reader.text("title"), expectedMilliseconds: reader.duration("expected"),
      isOptional: reader.boolean("optional") ?? false,
      asks: reader.node("asks").map(permissions) ?? [])
    if let expected = step.expectedMilliseconds {
      warn(ofExpected: expected, "'expected'", at: reader.keyMark("expected"))
    }
    if let first = stepIndices[id].map({ declared[$0] }) {
      let place = first.place.map { ", first at \($0.line):\($0.column)" } ?? ""
      diagnostics.error(
        "step '\(id)' is declared twice\(place); elsewhere write only its id", at: idNode.place,
        found: id)
    } else {
      declare(
        DeclaredStep(step: step, place: idNode.place, branchOf: reader.node("branch_of")))
    }
    return StepReference(id: id, node: idNode)
  }

  /// One permission, or a list of those that a screen asks for at once.
  private func permissions(_ node: Node) -> [String] {
    var names: [String] = []
    let items = node.sequence.map(Array.init) ?? [node]
    if items.isEmpty {
      diagnostics.error(
        "'asks' must name a permission, or several in a list; leave it out where the step asks for "
          + "none", at: node.place, found: "an empty list")
    }
    for item in items {
      guard let name = diagnostics.identifier(item, "'asks'") else { continue }
      if names.contains(name) {
        diagnostics.error("'\(name)' stands twice in 'asks'", at: item.place, found: name)
      } else {
        names.append(name)
      }
    }
    return names
  }

  private mutating func declare(_ step: DeclaredStep) {
    stepIndices[step.step.id] = declared.count
    declared.append(step)
  }

  /// References as indices into `flow.steps`; unknown ones are reported and left out.
  func indices(_ references: [StepReference]) -> [Int] {
    references.compactMap { reference in
      if let index = stepIndices[reference.id] { return index }
      diagnostics.error(
        "unknown step '\(reference.id)'; a step that only this list has is declared by "
          + "{id: \(reference.id)}",
        at: reference.node.place, found: reference.id, allowed: flow.steps.map(\.id),
        suggestion: NearestSpelling.of(reference.id, among: flow.steps.map(\.id)))
      return nil
    }
  }

  private mutating func resolveBranches() {
    for index in declared.indices {
      guard let node = declared[index].branchOf else { continue }
      flow.steps[index].branchOf = step(node, "'branch_of'")
    }
    // More steps than are allowed have been reported by now.
    for index in declared.indices.prefix(FlowLimit.steps.maximum) where isInBranchCycle(index) {
      let id = flow.steps[index].id
      diagnostics.error(
        "step '\(id)' branches off itself", at: declared[index].branchOf?.place, found: id)
    }
  }

  private func isInBranchCycle(_ start: Int) -> Bool {
    var current = flow.steps[start].branchOf
    for _ in flow.steps {
      guard let index = current else { return false }
      if index == start { return true }
      current = flow.steps[index].branchOf
    }
    return false
  }

  // MARK: Versions

  /// A list of an older version, before all steps are known.
  private struct DeclaredVersion {
    var name: String
    var list: [StepReference]
    var expectedTotal: ClosedRange<Int64>?
  }

  private mutating func readVersionReferences(_ file: MappingReader) -> [DeclaredVersion] {
    guard let node = file.node("versions"),
      let entries = MappingReader.entries(of: node, what: "'versions'", diagnostics)
    else { return [] }
    var versions: [DeclaredVersion] = []
    for entry in diagnostics.limited(entries, .versions, place: \.mark)
    where diagnostics.isIdentifier(entry.name, "a version", at: entry.mark) {
      let what = "version '\(entry.name)'"
      var (listNode, expected) = (entry.node as Node?, ClosedRange<Int64>?.none)
      if entry.node.mapping != nil {
        guard
          let reader = MappingReader(
            entry.node, what: what, allowed: ["steps", "expected_total"], diagnostics)
        else { continue }
        listNode = reader.required("steps", in: what)
        expected = reader.node("expected_total").flatMap { expectedTotal($0) }
      }
      let list = listNode.flatMap { stepList($0, what, declaresNames: false) }
      if let list {
        versions.append(DeclaredVersion(name: entry.name, list: list, expectedTotal: expected))
      }
    }
    return versions
  }

  /// The newest version's name: as given, else one above the highest where all are integers.
  private mutating func readNewestVersion(_ file: MappingReader) {
    if let node = file.node("version") {
      flow.newestVersion = diagnostics.identifier(node, "'version'")
      if let newest = flow.newestVersion, flow.versions.contains(where: { $0.name == newest }) {
        diagnostics.error(
          "version '\(newest)' is the newest, whose list is 'steps'; 'versions' can't list it too",
          at: node.place, found: newest)
      }
      return
    }
    let numbers = flow.versions.compactMap { Int($0.name) }
    if numbers.count == flow.versions.count, let highest = numbers.max(), highest < Int.max {
      flow.newestVersion = String(highest + 1)
    }
  }
}
