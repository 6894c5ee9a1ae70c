import Foundation
import OnboardingEvents
import Testing

@Suite struct EventLineTests {
  private static let time = EventTime(milliseconds: 1_767_225_600_123)  // 2026-01-01

  @Test func `an event is one line of the tracking plan, with keys in order`() throws {
    let event = OnboardingEvent(
      .pageViewed("privacy", number: 4), at: Self.time, userID: "u-1", deviceID: "d-1",
      flow: "aiq", experiments: ["copy": "B"],
      context: ["os": "iOS 26.1", "reduce_motion": false, "scale": 1.5, "tags": ["a", nil]])
    let line = String(decoding: try event.line(), as: UTF8.self)
    #expect(
      line == """
        {"event":"onboarding_page_viewed","timestamp":"2026-01-01T00:00:00.123Z",\
        "user_id":"u-1","device_id":"d-1","flow":"aiq","experiments":{"copy":"B"},\
        "properties":{"page_name":"privacy","page_number":4},\
        "context":{"os":"iOS 26.1","reduce_motion":false,"scale":1.5,"tags":["a",null]}}

        """)
  }

  @Test func `a line reads back as the same event, whatever its texts hold`() throws {
    let hostile = "a\"b\\c\n\t\u{0}\u{2028}日本語 👩‍👩‍👧"
    let event = OnboardingEvent(
      OnboardingAction(hostile, [hostile: .string(hostile), "n": -7, "list": [[:], 2.5]]),
      at: Self.time, userID: hostile, sessionID: "s", messageID: "m", flowVersion: "2",
      context: ["deep": ["er": ["est": true]]])
    let back = try JSONDecoder().decode(OnboardingEvent.self, from: Data(try event.line()))
    #expect(back == event)
    #expect(
      back
        == (try JSONDecoder().decode(
          OnboardingEvent.self, from: try JSONEncoder().encode(event))))
  }

  @Test func `what other programs write is read: numbers for texts, one experiment on its own`()
    throws
  {
    let text = """
      {"event":"paid","timestamp":1767225600123,"user_id":42,"experiment":"copy","variant":"A",
       "experiments":{"price":1,"copy":null},"flow_version":3}
      """
    let event = try JSONDecoder().decode(OnboardingEvent.self, from: Data(text.utf8))
    #expect(event.userID == "42" && event.flowVersion == "3" && event.time == Self.time)
    #expect(event.experiments == ["copy": "A", "price": "1"])
  }

  @Test func `the map of experiments counts before one on its own, as in files`() throws {
    let text = """
      {"event":"paid","timestamp":"2026-01-01T00:00:00Z","user_id":"u","experiment":"copy",
       "variant":"A","experiments":{"copy":"B"}}
      """
    let event = try JSONDecoder().decode(OnboardingEvent.self, from: Data(text.utf8))
    #expect(event.experiments == ["copy": "B"])
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T23:59:59.999Z", 951_868_799_999),
      ("2024-12-31T00:00:00.000Z", 1_735_603_200_000),
      ("2099-03-01T12:34:56.007Z", 4_076_051_696_007),
    ] as [(String, Int64)])
  func `times are written and read in UTC`(text: String, milliseconds: Int64) {
    #expect(EventTime(milliseconds: milliseconds).description == text)
    #expect(EventTime(text)?.milliseconds == milliseconds)
  }

  @Test func `times with an offset, fewer digits or none are read; others are not`() {
    let time = EventTime("2026-01-01T00:00:00.123Z")
    #expect(time == Self.time)
    #expect(EventTime("2026-01-01T02:30:00.1234567+02:30") == time)
    #expect(EventTime("2025-12-31 22:00:00-02:00")?.milliseconds == 1_767_225_600_000)
    for wrong in [
      "", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00Zx", "yesterday",
    ] {
      #expect(EventTime(wrong) == nil, "\(wrong)")
    }
    #expect(EventTime(secondsSince1970: .nan) == nil)
    #expect(EventTime(secondsSince1970: 1_767_225_600.123) == time)
  }

  @Test func `an event that could not be counted is refused, and says why`() {
    func mistake(_ change: (inout OnboardingEvent) -> Void) -> EventMistake? {
      var event = OnboardingEvent(.started, at: Self.time, deviceID: "d")
      change(&event)
      do { try event.validate() } catch { return error }
      return nil
    }
    #expect(mistake { _ in } == nil)
    #expect(mistake { $0.name = "" } == .emptyName)
    for none in [
      "0000-0000", " undefined ", "<undefined>", "'null'", "[]", "\"0\"", "( NaN )", "\t", "(null)",
    ] {
      #expect(mistake { $0.deviceID = none } == .noIdentifier, "\(none)")
    }
    for somebody in ["a", "'0a'", "<1>", "nullable", "0-1"] {
      #expect(mistake { $0.deviceID = somebody } == nil, "\(somebody)")
    }
    let unset = EventTime(milliseconds: 1000)
    #expect(mistake { $0.time = unset } == .timeOutOfRange(unset))
    #expect(mistake { $0.name = "onboarding_page_viewed" } == .noPage)
    #expect(mistake { $0.name = "permission_prompted" } == .noPermission)
    #expect(
      mistake {
        $0.name = "permission_result"
        $0.properties = ["permission": "camera", "status": "maybe"]
      } == .unknownStatus("maybe"))
    #expect(
      mistake {
        $0.name = "onboarding_completed"
        $0.properties = ["completion_method": 1]
      } == .unknownCompletionMethod("1"))
    #expect(
      mistake { $0.context = ["a": ["b": [1, .number(.infinity)]]] }
        == .notFinite(path: "context.a.b[1]"))
  }
}
