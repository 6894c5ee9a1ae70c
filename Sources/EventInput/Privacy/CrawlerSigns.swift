/// What an event says of a crawler or robot: a flag of the tool that collected it, or the browser's
/// own words.
///
/// Sources: PostHog, *Bot and traffic detection* (posthog.com/docs/web-analytics/bot-detection);
/// the names are those by which crawlers and automated browsers call themselves in `User-Agent`.
package enum CrawlerSigns {
  private static let flags: Set<String> = [
    "bot", "isbot", "isrobot", "iscrawler", "iswebcrawler", "virtisbot", "islikelybot", "isspider",
    "isheadless",
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

  /// The crawler's name, or the flag that says so; `nil` where a value says nothing of one.
  ///
  /// - Parameters:
  ///   - path: where the value stands, with dots.
  ///   - text: the value.
  package static func sign(_ path: String, _ text: String) -> String? {
    let name = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[path.index(after: $0)...] }
    let last = String(name ?? path[...])
    let plain = last.lowercased().filter(\.isLetter)
    if flags.contains(plain) {
      return ["true", "1", "yes"].contains(text.lowercased()) ? last : nil
    }
    guard agents.contains(plain) else { return nil }
    let text = text.lowercased()
    guard let word = words.first(where: { text.contains($0.lowercased()) }) else { return nil }
    return word.last.map { "/;".contains($0) } == true ? String(word.dropLast()) : word
  }
}
