/// What a template is filled with. Everything in it is markup already, made or escaped by
/// ``Markup``; the templates therefore escape nothing themselves.
struct TemplateContext {
  private(set) var values: [String: Any] = [:]

  mutating func text(_ name: String, _ raw: String) { values[name] = Markup.escaped(raw) }

  /// Leaves out what there is not: the template's section for it is left out too.
  mutating func markup(_ name: String, _ markup: Markup?) { values[name] = markup?.text }

  mutating func texts(_ name: String, _ all: [String]) {
    values[name] = all.isEmpty ? nil : all.map(Markup.escaped)
  }

  mutating func markups(_ name: String, _ all: [Markup]) {
    values[name] = all.isEmpty ? nil : all.map(\.text)
  }

  mutating func list(_ name: String, _ all: [TemplateContext]) {
    values[name] = all.isEmpty ? nil : all.map(\.values)
  }

  mutating func flag(_ name: String, _ value: Bool) { values[name] = value }

  init() {}

  init(_ fill: (inout TemplateContext) -> Void) { fill(&self) }
}
