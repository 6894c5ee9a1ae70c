public import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// A page with one person's timeline, or with those of several, drawn to scale.
public struct PersonPage: Sendable {
  let people: [PersonTimeline]
  let flow: Flow
  /// Who these people are: `20 of 51 people who left at Sign in`; `nil` for one person.
  let title: String?
  let horizonMilliseconds: Int64
  let programVersion: String
  /// Of a long timeline so many events are listed at its beginning and at its end.
  private var listed: Int { people.count == 1 ? 500 : 50 }

  /// Lays out timelines.
  ///
  /// - Parameters:
  ///   - title: who these people are, as ``title(shown:of:left:)`` says it; `nil` for one person.
  ///   - horizonMilliseconds: the moment up to which the data count as complete, since 1970.
  public init(
    _ people: [PersonTimeline], flow: Flow, title: String?, horizonMilliseconds: Int64,
    programVersion: String
  ) {
    self.people = people
    self.flow = flow
    self.title = title
    self.horizonMilliseconds = horizonMilliseconds
    self.programVersion = programVersion
  }

  /// `20 of 51 people who left at Sign in`
  public static func title(shown: Int, of all: Int, left place: String) -> String {
    let place = SafeText.name(place, limit: 80)
    if all == 1 { return "The one person who left \(place)" }
    return shown == all
      ? "All \(NumberText.grouped(all)) people who left \(place)"
      : "\(NumberText.grouped(shown)) of \(NumberText.grouped(all)) people who left \(place)"
  }

  /// The page as HTML, complete in itself.
  public func text() -> String {
    let only = people.count == 1 ? people.first : nil
    let flowTitle = SafeText.name(flow.title, limit: 60)
    let page = TemplateContext { page in
      page.markup("style", Markup(trusted: PageTemplates.personStyleSheet))
      page.text("title", "\(title ?? only?.name ?? "Timelines") in \(flowTitle)")
      page.text("flow", flowTitle)
      page.text("name", only?.name ?? "")
      if only == nil || title != nil { page.text("headline", DisplayText.sentence(title ?? "")) }
      page.list("people", people.map { section($0, isOnly: only != nil && title == nil) })
      page.text("horizon", DisplayText.sentence(PersonWords.instant(horizonMilliseconds)))
      page.text("program", programVersion)
    }
    let markup = PageTemplates.fill(.person, page).text
    return markup.hasSuffix("\n") ? markup : markup + "\n"
  }

  private func section(_ person: PersonTimeline, isOnly: Bool) -> TemplateContext {
    TemplateContext { page in
      page.text("name", person.name)
      page.flag("isOnly", isOnly)
      page.list(
        "attempts",
        person.explanation.attempts.map { attempt($0, person.explanation) })
      if person.explanation.attempts.isEmpty { page.text("none", "In no metric of this flow") }
      page.markup("reasons", reasons(person.explanation))
      page.markup("events", events(person.explanation))
    }
  }

  private func attempt(
    _ attempt: AttemptOutline, _ explanation: PersonExplanation
  ) -> TemplateContext {
    let run = AttemptRun(attempt: attempt)
    let words = PersonWords(flow: flow, run: run)
    return TemplateContext { page in
      page.text("headline", DisplayText.sentence(words.headline))
      page.text("circumstances", DisplayText.sentence(words.circumstances))
      page.list(
        "figures",
        words.figures.map { figure in
          TemplateContext { item in
            item.text("term", figure.name)
            item.text("value", DisplayText.sentence(figure.value))
            item.text("note", DisplayText.sentence(figure.note))
          }
        })
      page.markup("run", RunChart(run: run, description: words.headline).markup)
      page.markup("lanes", StepLanes(flow: flow, run: run).markup)
      page.markup(
        "returns",
        ReturnChart(
          flow: flow, attempt: attempt, explanation: explanation,
          horizonMilliseconds: horizonMilliseconds
        ).markup)
    }
  }

  /// Each rule and what it found.
  private func reasons(_ explanation: PersonExplanation) -> Markup {
    Markup { page in
      page.element("table", ["class": "reasons"]) { page in
        page.element("tbody") { page in
          for reason in explanation.reasons {
            let parts = reason.split(separator: ": ", maxSplits: 1).map(String.init)
            page.element("tr") { page in
              page.element("th", ["scope": "row"]) {
                $0.name(parts[0].capitalizedFirst, limit: 300)
              }
              page.element("td") { $0.name(parts.count > 1 ? parts[1] : "", limit: 1000) }
            }
          }
        }
      }
    }
  }

  private func events(_ explanation: PersonExplanation) -> Markup {
    let lines = explanation.lines
    var next = 0
    return Markup { page in
      page.element("table", ["class": "events"]) { page in
        page.element("thead") { page in
          page.element("tr") { page in
            for head in ["Time (UTC)", "Since start", "Event", "With", "Means"] {
              page.element("th", ["scope": "col"], text: head)
            }
          }
        }
        page.element("tbody") { page in
          for range in explanation.shownLines(first: listed, last: listed, around: 3) {
            gap(range.lowerBound - next, &page)
            for index in range { row(lines[index], &page) }
            next = range.upperBound
          }
          gap(lines.count - next, &page)
        }
      }
    }
  }

  private func gap(_ facts: Int, _ page: inout MarkupWriter) {
    guard facts > 0 else { return }
    page.element("tr") { page in
      page.element(
        "td", ["colspan": "5", "class": "mute"],
        text: DisplayText.sentence("\(NumberText.grouped(facts)) more events"))
    }
  }

  private func row(_ line: PersonExplanation.Line, _ page: inout MarkupWriter) {
    page.element("tr", ["class": line.isActivity ? nil : "mute"]) { page in
      page.element("td", text: PersonExplanation.instant(line.timeMilliseconds))
      page.element(
        "td", ["class": "n"],
        text: line.sinceEntryMilliseconds.map(PersonExplanation.offset) ?? "")
      page.element("td") { $0.name(line.event, limit: 60) }
      page.element("td") { $0.name(line.details.joined(separator: ", "), limit: 300) }
      page.element("td") { $0.name(line.notes.joined(separator: ", "), limit: 200) }
    }
  }
}
