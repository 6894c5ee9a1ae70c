internal import ReportText

/// The bar in which `firstmile serve` has a reader choose what to look at, around the page that was
/// chosen. It is a form that asks for an address: no script, and every view can be kept as a link.
public struct ChooserPage: Sendable {
  /// What can be chosen.
  public struct Offer: Sendable {
    /// Ids and titles.
    public var flows: [(id: String, title: String)]
    /// Of the flow that is shown.
    public var versions: [String]
    /// What a funnel can be cut by: dimensions, experiments and the version.
    public var breakdowns: [String]

    /// Describes what a store has to show.
    public init(
      flows: [(id: String, title: String)], versions: [String], breakdowns: [String]
    ) {
      self.flows = flows
      self.versions = versions
      self.breakdowns = breakdowns
    }
  }

  /// What was chosen, as it stands in the address.
  public struct Choice: Sendable, Hashable {
    /// The flow's id.
    public var flow = ""
    /// The first day that is included, as `2026-01-31`, or an instant; empty for the first of all.
    public var from = ""
    /// The first day that is not included any more, likewise; empty for none.
    public var to = ""
    /// A version of the flow; empty for all.
    public var version = ""
    /// The steps of a funnel, as `firstmile funnel` takes them; empty for the flow's own steps.
    public var steps = ""
    /// How long a funnel may take, as `7d`; empty for the flow's window.
    public var within = ""
    /// What the funnel is cut by, two at most in the form.
    public var breakdowns: [String] = []
    /// What else the address says, which the form hands on.
    public var others: [String: String] = [:]

    /// Nothing is chosen yet; an empty value leaves the choice open.
    public init() {}
  }

  /// What stands below the bar.
  public enum Content: Sendable {
    /// A page in a frame, and files of the same view by their names.
    case page(address: String, files: [(name: String, address: String)])
    /// The view is still being counted: how far it is, for so many seconds.
    case underWay(String, seconds: Int)
    /// Why there is nothing to show.
    case mistake(String)
  }

  let store: String
  let offer: Offer
  let choice: Choice
  let content: Content
  let programVersion: String

  /// Lays out the bar with what stands below it.
  ///
  /// - Parameter store: what the store is called, such as its file's name.
  public init(
    store: String, offer: Offer, choice: Choice, content: Content, programVersion: String
  ) {
    self.store = store
    self.offer = offer
    self.choice = choice
    self.content = content
    self.programVersion = programVersion
  }

  /// The page as HTML, complete in itself but for the frame that it may hold.
  public func text() -> String {
    let page = TemplateContext { page in
      page.markup("style", Markup(trusted: PageTemplates.chooserStyleSheet))
      page.text("title", SafeText.name(title, limit: 80))
      page.text("store", SafeText.name(store, limit: 60))
      page.markup("fields", fields)
      page.markup("funnel", funnel)
      page.flag("isFunnel", !choice.steps.isEmpty || !choice.breakdowns.isEmpty)
      page.text("program", programVersion)
      switch content {
      case .page(let address, let files):
        page.text("frame", address)
        page.list(
          "files",
          files.map { file in
            TemplateContext {
              $0.text("name", file.name)
              $0.text("address", file.address)
            }
          })
      case .underWay(let words, let seconds):
        page.text("progress", SafeText.name(words, limit: 200))
        page.text("seconds", seconds == 1 ? "1 second" : "\(NumberText.grouped(seconds)) seconds")
      case .mistake(let words):
        page.text("mistake", SafeText.name(words, limit: 2000))
      }
    }
    let markup = PageTemplates.fill(.chooser, page).text
    return markup.hasSuffix("\n") ? markup : markup + "\n"
  }

  private var title: String {
    offer.flows.first { $0.id == choice.flow }?.title ?? choice.flow
  }

  private var fields: Markup {
    Markup { page in
      if offer.flows.count > 1 {
        select("flow", "Flow", offer.flows, choice.flow, &page)
      } else {
        hidden("flow", choice.flow, &page)
      }
      for (name, value) in choice.others.sorted(by: { $0.key < $1.key }) {
        hidden(name, value, &page)
      }
      input("from", "Started from", choice.from, type: "date", &page)
      input("to", "Before (not included)", choice.to, type: "date", &page)
      if offer.versions.count > 1 {
        let known = offer.versions.map { ($0, "Flow version \(SafeText.name($0, limit: 40))") }
        let all = [("", "All flow versions")] + known
        select("flow-version", "Flow version", all, choice.version, &page)
      } else if !choice.version.isEmpty {
        hidden("flow-version", choice.version, &page)
      }
    }
  }

  private var funnel: Markup {
    Markup { page in
      input(
        "steps", "Funnel (empty for the flow’s own steps)", choice.steps, type: "text", &page,
        hint: "onboarding_started > a or b > paid?")
      input("within", "Within", choice.within, type: "text", &page, hint: "7d")
      let cuts = [("", "–")] + offer.breakdowns.map { ($0, SafeText.name($0, limit: 40)) }
      let chosen = choice.breakdowns + ["", ""]
      select("breakdown", "Break down by", cuts, chosen[0], &page)
      select("breakdown", "and by", cuts, chosen[1], &page, id: "breakdown2")
    }
  }

  private func hidden(_ name: String, _ value: String, _ page: inout MarkupWriter) {
    page.empty("input", ["type": "hidden", "name": name, "value": value])
  }

  private func input(
    _ name: String, _ label: String, _ value: String, type: String, _ page: inout MarkupWriter,
    hint: String? = nil
  ) {
    page.element("label", ["class": "f-\(name)"]) { page in
      page.element("span", text: label)
      page.empty(
        "input",
        [
          // A date that is no day (an instant, say) would vanish from a field of dates.
          "type": type == "date" && !value.isEmpty && !ChooserPage.isDay(value) ? "text" : type,
          "name": name, "value": value, "placeholder": hint, "autocomplete": "off",
          "spellcheck": "false",
        ])
    }
  }

  private func select(
    _ name: String, _ label: String, _ options: [(id: String, title: String)], _ chosen: String,
    _ page: inout MarkupWriter, id: String? = nil
  ) {
    let isKnown = options.contains { $0.id == chosen }
    page.element("label", ["class": "f-\(id ?? name)"]) { page in
      page.element("span", text: label)
      page.element("select", ["name": name]) { page in
        for option in options + (isKnown ? [] : [(chosen, chosen)]) {
          page.element(
            "option", ["value": option.id, "selected": option.id == chosen ? "" : nil],
            text: SafeText.name(option.title, limit: 60))
        }
      }
    }
  }

  private static func isDay(_ text: String) -> Bool {
    text.count == 10 && text.allSatisfy { $0 == "-" || $0.isASCII && $0.isNumber }
  }
}
