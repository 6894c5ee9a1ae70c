import FlowDefinition
import Foundation
import FirstMileSimulation
import Testing

/// Days and people differ, as a profile says.
@Suite struct WorldTests {
  private struct Line {
    var event: String
    var day: Int
    var user: String?
    var device: String?
    var properties: [String: Any]
    var context: [String: Any]
  }

  /// The lines of some events, or of all.
  private func lines(_ app: String, persons: Int, of events: [String] = [""]) throws -> [Line] {
    var plan = try SimulatedDump.plan(app, persons: persons)
    plan.rates = .tidy
    plan.compression = .gzip
    let beginnings = events.map { Data("{\"event\":\"\($0)".utf8) }
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return try SimulatedDump(plan).lines().joined().compactMap { line in
      guard beginnings.contains(where: line.starts) else { return nil }
      let object = try JSONSerialization.jsonObject(with: line)
      guard let event = object as? [String: Any], let name = event["event"] as? String else {
        return nil
      }
      let milliseconds: Double
      if let text = event["timestamp"] as? String {
        // More than three digits of a second, which the format does not take, are cut.
        let cut = text.replacing(#/(\.\d{3})\d+/#) { String($0.output.1) }
        milliseconds = try Date(cut, strategy: format).timeIntervalSince1970 * 1_000
      } else {
        milliseconds = (event["timestamp"] as? NSNumber)?.doubleValue ?? 0
      }
      let day = (milliseconds - Double(plan.startMilliseconds)) / 86_400_000
      return Line(
        event: name, day: Int(day.rounded(.down)), user: event["user_id"] as? String,
        device: event["device_id"] as? String,
        properties: event["properties"] as? [String: Any] ?? [:],
        context: event["context"] as? [String: Any] ?? [:])
    }
  }

  @Test func `more people begin at the weekend, and days differ by more than chance`() throws {
    let starts = try lines("memoss", persons: 4_000, of: ["onboarding_started"])
    var days = Array(repeating: 0.0, count: 90)
    for start in starts where days.indices.contains(start.day) { days[start.day] += 1 }
    // The dump begins on a Monday.
    func mean(_ isIncluded: (Int) -> Bool) -> Double {
      let chosen = days.indices.filter { isIncluded($0 % 7) }.map { days[$0] }
      return chosen.reduce(0, +) / Double(chosen.count)
    }
    #expect(mean { $0 >= 5 } > 1.05 * mean { $0 < 4 })
    let average = mean { _ in true }
    let variance = days.map { ($0 - average) * ($0 - average) }.reduce(0, +) / 89
    // Of a Poisson distribution the variance is the mean.
    #expect(variance > 2 * average)
  }

  @Test func `a release with a mistake loses people where the mistake is`() throws {
    let plan = try SimulatedDump.plan("unforgotten", persons: 4_000)
    let truth = try SimulatedDump(plan).truth
    func conversion(_ version: String) -> Double {
      let row = truth.metrics.first {
        $0.metric == .stepConversion && $0.step == "profile_setup"
          && $0.breakdown == "app_version=\(version)"
      }
      return Double(row?.numerator ?? 0) / Double(max(1, row?.denominator ?? 1))
    }
    #expect(conversion("2.1.0") < conversion("2.0.0") - 0.05)
    #expect(conversion("2.1.1") > conversion("2.1.0") + 0.05)
    let incident = try #require(truth.incidents.first { $0.of == "profile_setup" })
    #expect(incident.kind == "leaving" && incident.appVersion == "2.1.0")
    #expect(incident.toMilliseconds - incident.fromMilliseconds == 7 * 86_400_000)
  }

  @Test func `on a day with a broken build one page's views are missing`() throws {
    let views = try lines("memoss", persons: 4_000, of: ["onboarding_page_viewed"]).filter { line in
      line.context["app_version"] as? String == "1.4.2"
    }
    func share(_ day: Int) -> Double {
      let ofDay = views.filter { $0.day == day }
      let lost = ofDay.filter { line in
        line.properties["page_name"] as? String == "custom_snooze"
      }
      return Double(lost.count) / Double(max(1, ofDay.count))
    }
    #expect(views.contains { $0.day == 66 })
    #expect(share(66) == 0)
    #expect(share(65) > 0.1 && share(67) > 0.1)
  }

  @Test func `a property that is known later stands on no line before the sign-in`() throws {
    let lines = try lines("trendy", persons: 400)
    let before = lines.filter { $0.user == nil }
    let after = lines.filter { $0.user != nil }
    #expect(before.count > 500 && after.count > 500)
    #expect(before.allSatisfy { !($0.context["sign_in_method"] is String) })
    #expect(after.contains { $0.context["sign_in_method"] is String })
  }

  @Test func `what is new is presented by the new version, right after the update`() throws {
    let updates = try lines("memoss", persons: 1_500, of: ["app_updated"])
    #expect(updates.count > 20)
    for update in updates where update.context["app_version"] is String {
      let version = update.context["app_version"] as? String
      #expect(version == update.properties["to_version"] as? String)
    }
  }

  @Test func `a second onboarding comes from another device of the same user`() throws {
    let lines = try lines("dequeue", persons: 1_000, of: ["onboarding_"])
    let second = lines.filter { $0.properties["device"] as? String == "second" }
    #expect(second.count > 2)
    for start in second {
      let user = try #require(start.user)
      let device = try #require(start.device)
      #expect(lines.contains { $0.user == user && $0.device != nil && $0.device != device })
      #expect(lines.contains { $0.user == user && $0.day < start.day })
    }
  }
}
