internal import ReportText

/// How the facts arrived, as JSON: inputs in the order of their digests, rejects, counts.
enum ProvenanceJSON {
  package static func text(_ provenance: Provenance) -> String {
    // An input that could not be read has no digest; such inputs come last, by name.
    let sources = provenance.sources.sorted { left, right in
      let keys = [left, right].map { ($0.digest ?? "~", $0.name) }
      if keys[0].0 != keys[1].0 {
        return keys[0].0.utf8.lexicographicallyPrecedes(keys[1].0.utf8)
      }
      return keys[0].1.utf8.lexicographicallyPrecedes(keys[1].1.utf8)
    }
    return JSONText.block(
      [
        ("lines", JSONText.number(provenance.lines)),
        ("events", JSONText.number(provenance.events)),
        ("reject_rate", JSONText.number(provenance.rejectRate)),
        ("maximum_reject_rate", JSONText.number(provenance.maximumRejectRate)),
        ("rejects", JSONText.counts(provenance.rejectsByReason)),
        ("timestamps_without_offset", JSONText.number(provenance.timestampsWithoutOffset)),
        ("placeholders", JSONText.counts(provenance.placeholders)),
        ("counts", JSONText.counts(provenance.timelineCounts)),
        ("sources", JSONText.lines(sources.map(source), indent: "    ")),
      ], indent: "  ")
  }

  private static func source(_ source: Provenance.Source) -> String {
    JSONText.object([
      ("name", JSONText.string(source.name)), ("digest", JSONText.string(source.digest)),
      ("lines", JSONText.number(source.lines)), ("events", JSONText.number(source.events)),
      ("rejects", JSONText.number(source.rejects)),
      ("problems", JSONText.array(source.problems.map { JSONText.string($0) })),
    ])
  }
}
