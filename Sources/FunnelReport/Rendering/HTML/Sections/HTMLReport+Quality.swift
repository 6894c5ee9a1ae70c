internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func qualitySection() -> Markup {
    let grade = ReportGrade(report)
    return PageTemplates.fill(
      .quality,
      TemplateContext { page in
        page.text("grade", grade.letter.rawValue)
        page.text("gradeClass", grade.letter >= .d ? "low" : "")
        page.text("verdict", grade.verdict)
        let known = ReportWords.knownBefore(report).map { [$0] } ?? []
        page.texts(
          "reasons", grade.reasons.map { DisplayText.sentence($0.text) } + known)
        let table = checks()
        page.markup("checks", table.markup)
        page.text(
          "checkCount", "Data checks: \(DisplayText.count(table.rows.count)) counts")
        let words = DefinitionWords.all(analysis)
        page.list("words", words.map(word))
        page.text(
          "wordCount",
          "Why another tool may show another number, and what "
            + "\(words.prefix(2).map { $0.term.lowercased() }.joined(separator: ", ")) and "
            + "\(DisplayText.count(max(0, words.count - 3))) more words mean")
        page.text("fingerprint", flow.fingerprint)
        page.text("choices", SafeText.name(flow.choicesInWords, limit: 4000))
        page.text("run", run)
        page.text(
          "inputCount",
          report.provenance.sources.count == 1
            ? "1 input" : "\(DisplayText.count(report.provenance.sources.count)) inputs")
        page.markup("sources", sources().markup)
      })
  }

  private func checks() -> DataTable {
    let all = QualityLine.all(report)
    let always: Set = [
      "lines", "events", "rejects", "facts", "persons", "missing_days", "missing_starts",
    ]
    let shown = all.filter {
      always.contains($0.check) || $0.count > 0 || $0.check.hasSuffix("never_seen")
    }.prefix(60)
    return DataTable(
      caption: "What was read, and what looked odd; checks that found nothing are left out",
      columns: [.words("Check"), .number("count"), .number("share"), .words("What it means")],
      rows: shown.map { line in
        let name = line.title
        let item = line.item.isEmpty ? "" : ": \(line.itemWords(analysis))"
        return [
          .name((name + item).capitalizedFirst), .number(Shown.count(line.count)),
          .number(Shown(line.share.map(DisplayText.percent) ?? "")),
          .text(SafeText.name(line.note, limit: 160)),
        ]
      })
  }

  func word(_ word: DefinitionWords) -> TemplateContext {
    TemplateContext { page in
      page.text("term", word.term)
      page.text("meaning", word.meaning)
    }
  }

  private var run: String {
    let provenance = report.provenance
    var parts = [
      "FirstMile \(provenance.programVersion)", "semantics \(Flow.semanticsVersion)",
      "\(DisplayText.count(provenance.events)) events in "
        + "\(DisplayText.count(provenance.lines)) lines",
      "\(DisplayText.percent(provenance.rejectRate)) rejected",
    ]
    parts += ByteOrder.sorted(provenance.options.keys).map {
      "\($0) \(provenance.options[$0] ?? "")" + ($0 == "to" ? " (not included)" : "")
    }
    return parts.joined(separator: " · ")
  }

  /// The kind and the first twelve digits.
  private func beginning(of digest: String?) -> String {
    guard let digest else { return "–" }
    let kind = digest.prefix { $0 != ":" }
    return String(digest.prefix(kind.count + 1 + 12))
  }

  private func sources() -> DataTable {
    let all = report.provenance.sources
    var rows: [[DataTable.Cell]] = all.prefix(40).map { source in
      [
        .name(source.name), .number(Shown.count(source.events)),
        .number(Shown.count(source.rejects)), .text(beginning(of: source.digest)),
        .text(SafeText.name(source.problems.joined(separator: "; "), limit: 160)),
      ]
    }
    if all.count > 40 {
      rows.append([
        .text("and \(DisplayText.count(all.count - 40)) more in metrics.json"), .text(""),
        .text(""), .text(""), .text(""),
      ])
    }
    return DataTable(
      caption: "Inputs and the beginnings of their digests",
      columns: [
        .words("Input"), .number("events"), .number("rejects"), .words("digest"),
        .words("problems"),
      ], rows: rows)
  }
}
