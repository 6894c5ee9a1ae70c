import EventInput
import Testing

/// Lines and rows with names of tables, of what is sent to vendors, and with values too many.
@Suite struct OtherNamesTests {
  @Test(arguments: [
    (#""event_name":"started","event_time":"2026-01-21 10:00:00","customer_user_id":"u1""#, true),
    (#""event_name":"started","event_time":"2026-01-21 10:00:00","appsflyer_id":"1-2""#, true),
    (#""event_name":"started","created_at":1768989600,"adid":"a""#, true),
    (#""name":"started","time":1768989600,"user_id":"u1""#, false),
    (#""name":"started","created_at":1768989600,"user_id":"u1""#, false),
  ])
  func `lines with the names of tables are rows`(members: String, isEvent: Bool) throws {
    let outcome = try scan("{\(members)}\n{\(members)}\n")
    #expect(outcome.events.map { $0.values[0] } == (isEvent ? ["started", "started"] : []))
    #expect(outcome.summary.format == (isEvent ? .table : .canonical))
  }

  @Test func `what is sent to PostHog and Amplitude is read as theirs`() throws {
    let event = #""event":"a","properties":{"distinct_id":"u1"},"timestamp":"2026-01-21T10:00:00Z""#
    let identify =
      #""event":"$identify","distinct_id":"u1","timestamp":"2026-01-21T10:00:00Z","#
      + #""properties":{"$anon_distinct_id":"d"}"#
    let posthog = try scan(#"{"api_key":"k","batch":[{\#(event)},{\#(event)},{\#(identify)}]}"#)
    #expect(posthog.summary.format == .posthog && posthog.events.count == 3)
    let amplitude = try scan(
      #"{"api_key":"k","events":[{"event_type":"a","user_id":"u1","time":1768989600000,"#
        + #""insert_id":"i","event_properties":{"page_name":"plan"}}]}"#)
    #expect(amplitude.summary.format == .amplitude)
    #expect(amplitude.events.map(\.time) == [1_768_989_600_000])
    #expect(amplitude.events.map { $0.values[1] } == ["plan"])
  }

  @Test func `a time that the device gives and nobody can read is a bad one`() throws {
    let outcome = try scan(
      #"{"type":"track","event":"a","anonymousId":"d","originalTimestamp":"yesterday"}"#)
    #expect(outcome.reasons == ["bad_timestamp"])
  }

  @Test func `rows with other counts of values say so`() throws {
    let outcome = try scan("event,user_id,timestamp\na,u,2026-01-21 10:00:00,x\n")
    #expect(outcome.reasons == ["not_an_object"])
    #expect(outcome.rejects.first?["detail"] == "has 4 values, and the header 3")
  }

  /// As people write lists; a blank before the first column, or before some others, is a value's.
  @Test func `blanks behind delimiters are no values'`() throws {
    let outcome = try scan(
      "event, user_id, timestamp, page_name\nstarted, u1, 2026-01-21 10:00:00, \"a, b\"\n")
    let plain = try scan(line())
    #expect(outcome.reasons == [] && outcome.events.map(\.user) == plain.events.map(\.user))
    #expect(outcome.events.map { Array($0.values.prefix(2)) } == [["started", "a, b"]])
  }
}
