/// What an event says of a crawler or robot: a flag of the tool that collected it, or the browser's
/// own words.
///
/// Sources: PostHog, *Bot and traffic detection* (posthog.com/docs/web-analytics/bot-detection);
/// the names are those by which crawlers and automated browsers call themselves in `User-Agent`.
package enum CrawlerSigns {
  private static let flags: Set<String> = [
    "bot", "isbot", "isrobot", "iscrawler", "iswebcrawler", "virtisbot", "islikelybot", "isspider",
    "isheadless", "spiderorrobot",
  ]
  private static let agents: Set<String> = [
    "useragent", "rawuseragent", "agent", "browseruseragent", "browser", "browsername",
  ]
  private static let words = [
    "Googlebot", "AdsBot-Google", "bingbot", "Applebot", "YandexBot", "DuckDuckBot", "Baiduspider",
    "GPTBot", "ClaudeBot", "PerplexityBot", "Bytespider", "AhrefsBot", "SemrushBot", "PetalBot",
    "facebookexternalhit", "Slackbot", "Twitterbot", "LinkedInBot", "Pingdom", "UptimeRobot",
    "HeadlessChrome", "Headless Chrome", "PhantomJS", "Lighthouse", "Selenium", "Puppeteer",
    "Playwright", "python-requests", "curl/", "Wget/", "Go-http-client", "crawler", "spider",
    "bot/", "bot;",
  ]

  /// What a path's value may say.
  package enum Kind: Sendable {
    /// Whether the event is a crawler's.
    case flag
    /// Which program sent the event.
    case agent
  }

  /// What the value at a path may say of a crawler; `nil` for most paths.
  package static func kind(_ path: String) -> Kind? {
    let plain = lastName(path).lowercased().filter(\.isLetter)
    return flags.contains(plain) ? .flag : agents.contains(plain) ? .agent : nil
  }

  private static func lastName(_ path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[path.index(after: $0)...] } ?? path[...]
  }

  /// The crawler's name, or the flag that says so; `nil` where a value says nothing of one.
  ///
  /// - Parameters:
  ///   - path: where the value stands, with dots.
  ///   - text: the value.
  package static func sign(_ path: String, _ text: String) -> String? {
    guard let kind = kind(path) else { return nil }
    let text = text.lowercased()
    if kind == .flag { return ["true", "1", "yes"].contains(text) ? String(lastName(path)) : nil }
    guard let word = words.first(where: { text.contains($0.lowercased()) }) else { return nil }
    return word.last.map { "/;".contains($0) } == true ? String(word.dropLast()) : word
  }
}
