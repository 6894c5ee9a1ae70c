internal import EventInput

/// The screens of an app whose dump has no pages of an onboarding: they are views of pages, too.
///
/// Sources of the names: Firebase, *Measure screenviews*; PostHog's and Segment's specs of
/// `screen`; Amplitude's and Mixpanel's autocapture (docs/formats.md).
struct DraftScreens {
  static let part = "onboarding_page_viewed"

  /// The one event of all screens, where the screen's name stands in a property.
  private(set) var event: String?
  private(set) var path: String?
  /// The page of each event, where every screen is an event of its own.
  private(set) var pageOfEvent: [String: String] = [:]

  private static let known: [(event: String, path: String)] = [
    ("screen_view", "properties.firebase_screen"),
    ("screen_view", "properties.screen_name"),
    ("screen_view", "properties.name"),
    ("$screen", "properties.$screen_name"),
    ("screen", "name"),
    ("[Amplitude] Screen Viewed", "properties.[Amplitude] Screen Name"),
    ("$mp_page_view", "properties.current_page_title"),
    ("Screen Viewed", "properties.screen_name"),
  ]
  private static let beginnings = ["Screen: ", "Screen - ", "screen: ", "Viewed Screen "]
  private static let endings = [
    " Screen Viewed", " Screen View", " screen viewed", "_screen_viewed",
  ]

  /// Screens that were found by their order.
  init(event: String, path: String) { (self.event, self.path) = (event, path) }

  /// Events that are steps each.
  init(pageOfEvent: [String: String]) { self.pageOfEvent = pageOfEvent }

  /// The page that an event shows, where it is a screen.
  func page(_ event: SampledEvent) -> String? {
    if let page = pageOfEvent[event.event] { return page }
    guard event.event == self.event, let path else { return nil }
    return event.value(path)
  }

  /// - Parameter counts: events by name. `nil` where none of them looks like a screen.
  init?(_ counts: [String: Int], _ timelines: SampledTimelines) {
    let known = Self.known.filter { counts[$0.event] != nil }
    let named = known.first { screen in
      timelines.people.contains { person in
        person.contains { $0.event == screen.event && $0.value(screen.path) != nil }
      }
    }
    if let found = named {
      (event, path) = (found.event, found.path)
      return
    }
    for name in counts.keys.sorted() {
      if let page = Self.page(of: name) { pageOfEvent[name] = page }
    }
    if pageOfEvent.count < 2 { return nil }
  }

  private static func page(of name: String) -> String? {
    if let beginning = beginnings.first(where: name.hasPrefix) {
      return name.count > beginning.count ? String(name.dropFirst(beginning.count)) : nil
    }
    if let ending = endings.first(where: name.hasSuffix) {
      return name.count > ending.count ? String(name.dropLast(ending.count)) : nil
    }
    return nil
  }
}
