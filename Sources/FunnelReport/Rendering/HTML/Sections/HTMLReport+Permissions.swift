internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func permissionsSection() -> Markup {
    PageTemplates.fill(
      .permissions,
      TemplateContext { page in
        page.flag("none", flow.permissions.isEmpty)
        page.list("permissions", flow.permissions.prefix(1).map(permission))
        page.list("folded", flow.permissions.dropFirst().map(permission))
        page.list("joint", joints())
      })
  }

  private func permission(_ name: String) -> TemplateContext {
    TemplateContext { page in
      page.text("id", ChartID.permission(name).text)
      page.text("name", name.capitalizedFirst)
      page.markup("summary", summary(name))
      page.markup(
        "persons",
        Markup { page in
          page.number(analysis.datum(.persons, in: leading)?.count)
          page.text(" people")
          if leading != .all { page.name(" of \(analysis.label(leading))", limit: 60) }
        })
      page.markup("path", path(name).markup)
      page.markup("classes", classes(name))
      page.markup("rates", rates(name).markup)
      page.markups("contrast", contrast(name))
    }
  }

  private func summary(_ name: String) -> Markup {
    let rates: [(metric: MetricName, name: String)] = [
      (.permissionOptIn, "opt-in"), (.permissionReach, "asked"),
      (.permissionAcceptance, "acceptance"),
    ]
    return Markup { page in
      page.name(name.capitalizedFirst, limit: 60)
      page.name(leading == .all ? ":" : ", \(analysis.label(leading)):", limit: 60)
      for (index, rate) in rates.enumerated() {
        page.text("\(index > 0 ? "," : "") \(rate.name) ")
        page.number(analysis.datum(rate.metric, step: name, in: leading)?.rate)
      }
    }
  }

  /// Primer → prompt → answer, each of all whom the first screen is about.
  private func path(_ name: String) -> DataTable {
    let stages: [(String, MetricName)] = [
      ("Saw the step that asks", .permissionSawPriming),
      ("Asked by the system", .permissionReach),
      ("Opt-in: granted at the first prompt, or before", .permissionOptIn),
    ]
    var rows: [[DataTable.Cell]] = stages.compactMap { words, metric in
      guard let datum = analysis.datum(metric, step: name, in: leading) else { return nil }
      return [
        .text(words), .plot(shareBar(words, datum)), .number(datum.count), .number(datum.rate),
      ]
    }
    for (words, metric) in [
      ("Acceptance: granted at the first prompt, of those asked", MetricName.permissionAcceptance),
      ("Left right after denying, of those who denied", .permissionLeftAfterDenial),
      (
        "Granted within 30 days, of those who denied 30 days ago or earlier", .permissionRecovered
      ),
    ] {
      guard let datum = analysis.datum(metric, step: name, in: leading) else { continue }
      rows.append([
        .text(words), .plot(shareBar(words, datum, fill: "skip")),
        .pair(datum.count, "/", datum.total), .number(datum.rate),
      ])
    }
    return DataTable(
      caption: "Shares of \(analysis.label(leading)), or of the group that a row names",
      columns: [.words("Stage"), .plot("share"), .number("people"), .number("rate")], rows: rows)
  }

  static let answers: [(answer: PermissionClass, fill: String, name: String)] = [
    (.granted, "on", "granted"),
    (.alreadyDecided, "decided", "decided before, not asked"),
    (.notNow, "past", "not now"), (.denied, "denied", "denied"), (.error, "gone", "error"),
    (.restricted, "gone", "restricted"), (.noResult, "track", "no answer"),
  ]

  private func classes(_ name: String) -> Markup {
    Markup { page in
      page.add(
        StackBar.legend(
          HTMLReport.answers.filter { $0.answer != .restricted }.map {
            ($0.fill, $0.answer == .error ? "error, restricted" : $0.name)
          }))
      page.element("ul", ["class": "funnel"]) { page in
        for slice in everybodyAndCompared {
          page.element("li", ["data-variant": tag(slice)]) { page in
            page.element("p", ["class": "line"]) { page in
              page.element("span", ["class": "name"]) {
                $0.name(analysis.label(slice))
              }
            }
            let counts = HTMLReport.answers.map {
              analysis.datum(.permissionClass($0.answer), step: name, in: slice)
            }
            page.add(
              StackBar(
                title: "\(name), \(analysis.label(slice)): the seven answers",
                parts: zip(HTMLReport.answers, counts).map { entry, datum in
                  StackBar.Part(
                    name: entry.name, count: datum?.row.numerator ?? 0, fill: entry.fill)
                }, total: counts.first??.row.denominator ?? 0, isTall: true
              ).markup)
            page.element("p", ["class": "gone"]) { page in
              let given = zip(HTMLReport.answers, counts).filter {
                ($0.1?.row.numerator ?? 0) > 0
              }
              for (index, answer) in given.enumerated() {
                page.text(index == 0 ? "" : " · ")
                page.number(answer.1?.count)
                page.text(" \(answer.0.name)")
              }
            }
          }
        }
      }
      page.element("details") { page in
        page.element("summary", text: "As a table")
        page.add(classTable(name).markup)
      }
    }
  }

  private func classTable(_ name: String) -> DataTable {
    DataTable(
      caption: "people = " + HTMLReport.answers.map(\.name).joined(separator: " + "),
      columns: [.words("People")] + HTMLReport.answers.map { .number($0.name) },
      rows: everybodyAndCompared.map { slice in
        [.name(analysis.label(slice))]
          + HTMLReport.answers.map {
            .number(
              analysis.datum(.permissionClass($0.answer), step: name, in: slice)?.count)
          }
      }, rowVariants: everybodyAndCompared.map(tag))
  }

  /// The named rates by slice.
  private func rates(_ name: String) -> DataTable {
    let metrics: [MetricName] = [.permissionOptIn, .permissionReach, .permissionAcceptance]
    return DataTable(
      caption: "The three named rates with 95 % intervals",
      columns: [.words("People")]
        + ["opt-in", "asked", "acceptance"].flatMap {
          [DataTable.Column.number($0), .number("95 %")]
        },
      rows: everybodyAndCompared.map { slice in
        [.name(analysis.label(slice))]
          + metrics.flatMap { metric -> [DataTable.Cell] in
            let datum = analysis.datum(metric, step: name, in: slice)
            return [.number(datum?.rate), .pair(datum?.low, "–", datum?.high)]
          }
      }, rowVariants: everybodyAndCompared.map(tag))
  }

  /// Why the answers of everyone aren't those of the people who were asked, where they differ.
  private func answersAndAcceptance(_ name: String) -> Sentence? {
    func count(_ metric: MetricName) -> Int? { analysis.row(metric, step: name)?.numerator }
    guard let granted = count(.permissionClassGranted),
      let accepted = count(.permissionAcceptance), granted != accepted
    else { return nil }
    return Sentence(words: ReportWords.answersAndAcceptance)
  }

  /// Where skip leads to the permission, its core question; and who was never asked.
  private func contrast(_ name: String) -> [Markup] {
    let findings = PermissionFindings(analysis: analysis)
    let parts = findings.optInParts(name).map { parts -> Sentence in
      leading == .all ? parts : "Of everyone: \(parts)"
    }
    var notes = [parts, answersAndAcceptance(name)].compactMap(\.self)
    if let text = findings.skippersAgainstReaders(name) {
      notes.append(text)
    }
    if let asked = EligiblePersons(name, analysis) { notes.append("Opt-in \(asked.words).") }
    return notes.map { note in Markup { $0.sentence(note) } } + [listed(name)]
  }

  /// Where each person's answer stands, and whether that person came back.
  private func listed(_ name: String) -> Markup {
    let came = RetentionMeasure.telling(analysis).map { " and retention_\($0.id)" } ?? ""
    return Markup { page in
      // Phones have no command line.
      page.element("span", ["class": "wide"]) { page in
        page.text("Who denied, and who of them came back: permission_")
        page.name(name, limit: 40)
        page.text("\(came) in the private list (")
        page.element("code", text: "--people")
        page.text(").")
      }
    }
  }

  private func joints() -> [TemplateContext] {
    let names = flow.permissions
    return names.indices.flatMap { first in
      names.indices.filter { $0 > first }.compactMap { joint(names[first], names[$0]) }
    }
  }

  private func joint(_ first: String, _ second: String) -> TemplateContext? {
    func datum(_ row: PermissionClass, _ column: PermissionClass) -> Datum? {
      analysis.datum(
        .permissionJoint, step: "\(first)=\(row.name),\(second)=\(column.name)")
    }
    let classes = HTMLReport.answers
    let rows = classes.filter { row in
      classes.contains { datum(row.answer, $0.answer) != nil }
    }
    let columns = classes.filter { column in
      classes.contains { datum($0.answer, column.answer) != nil }
    }
    guard !rows.isEmpty else { return nil }
    let table = DataTable(
      caption: "Rows: \(first). Columns: \(second). People, and the share of all people",
      columns: [.words(first)] + columns.map { .number($0.name) },
      rows: rows.map { row in
        [.text(row.name)]
          + columns.map { column in
            let found = datum(row.answer, column.answer)
            return .heat(HTMLReport.heat(found?.row.value ?? 0, of: 0.6), found?.count, found?.rate)
          }
      }, isHeat: true)
    return TemplateContext { page in
      page.text("id", ChartID("permissions", first, second).text)
      page.text("name", "\(first.capitalizedFirst) and \(second)")
      page.text("versions", leading == .all ? "" : ", all flow versions,")
      page.markup("table", table.markup)
    }
  }

  /// The tint of a heat map's cell.
  static func heat(_ value: Double, of largest: Double) -> String {
    let share = largest > 0 ? min(1, max(0, value / largest)) : 0
    return "h\(Int((share * 7).rounded()))"
  }
}
