import ArgumentParser
import FlowDefinition
import FunnelEngine
import Testing

@testable import FirstMileCommands

/// Dates and instants of options, in the flow's time zone.
@Suite struct DateOptionTests {
  private static let hour: Int64 = 3_600_000
  private static let berlin = CivilCalendar(timeZone: "Europe/Berlin")

  private func moment(_ text: String, _ edge: Moment.Edge = .start) throws -> Int64 {
    try Moment.parse(text, option: "--from", edge: edge, calendar: Self.berlin)
  }

  private func options(_ dates: String...) throws -> InputOptions {
    try InputOptions.parse(["dumps", "--flow=app.yaml", "--no-project-file"] + dates)
  }

  private func flow() throws -> Flow {
    try FlowParser.parse(
      "flow: app\ntime_zone: Europe/Berlin\nsteps: [welcome, plan]\n", file: "app.yaml"
    ).flow
  }

  @Test func `a day has two ends, and as many hours as its clocks show`() throws {
    #expect(Moment.text(try moment("2026-01-31")) == "2026-01-30T23:00:00.000Z")
    #expect(Moment.text(try moment("2026-01-31", .end)) == "2026-01-31T22:59:59.999Z")
    let days = ["2026-01-31": 24, "2026-03-29": 23, "2026-10-25": 25]
    for (day, hours) in days {
      let length = try moment(day, .end) - moment(day) + 1
      #expect(length == Int64(hours) * Self.hour, "\(day)")
    }
  }

  @Test func `an instant is one, whichever end is asked for`() throws {
    for text in ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.999Z"] {
      #expect(Moment.text(try moment(text)) == text)
      #expect(try moment(text) == moment(text, .end))
    }
    #expect(try moment("2026-01-31T13:00:00+01:00") == moment("2026-01-31T12:00:00Z"))
  }

  @Test func `what is neither a day nor an instant is refused with what is`() {
    let wrong = [
      "", "yesterday", "2026-02-29", "2026-13-01", "1999-12-31", "2101-01-01", "2026-1-31",
      "26-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00",
    ]
    for text in wrong {
      #expect {
        try moment(text)
      } throws: { error in
        "\(error)".hasPrefix("--from: found '\(text)'; allowed are a day from 2000 to 2100 ")
      }
    }
  }

  @Test func `days are written as they are read`() {
    #expect(Moment.day(20_454) == "2026-01-01")
    for number in 10_957...12_500 { #expect(Moment.dayNumber(Moment.day(number)) == number) }
    for odd in ["2026-+1-05", "2026-01-+5", "-026-01-05", "2026-01- 5"] {
      #expect(Moment.dayNumber(odd) == nil, "\(odd)")
    }
  }

  @Test func `the dates of the options are moments of the flow's time zone`() throws {
    let all = try options("--from=2026-01-10", "--to=2026-01-12", "--as-of=2026-02-01")
    let dates = try all.dates(in: flow())
    #expect(dates.from.map(Moment.text) == "2026-01-09T23:00:00.000Z")
    #expect(dates.to.map(Moment.text) == "2026-01-11T23:00:00.000Z")
    #expect(dates.asOf.map(Moment.text) == "2026-02-01T22:59:59.999Z")
    #expect(dates.historyFrom == nil)
    #expect(
      all.numberOptions == ["from": "2026-01-10", "to": "2026-01-12", "as_of": "2026-02-01"])
    let none = try options().dates(in: flow())
    #expect(none.from == nil && none.to == nil && none.asOf == nil)
  }

  @Test func `dates between which nobody can begin are refused`() throws {
    let flow = try flow()
    let empty = try options("--from=2026-01-10", "--to=2026-01-10")
    #expect(throws: CommandError.self) { try empty.dates(in: flow) }
    let late = try options("--from=2026-01-10", "--history-from=2026-01-11")
    #expect(throws: CommandError.self) { try late.dates(in: flow) }
    let same = try options("--from=2026-01-10", "--history-from=2026-01-10")
    #expect(try same.dates(in: flow).historyFrom == same.dates(in: flow).from)
  }

  @Test func `the period before one is asked for with the beginning of that one`() throws {
    let flows = [try flow()]
    #expect(throws: CommandError.self) {
      try EarlierOption("previous", flows, options("--to=2026-01-10"), CommandFiles())
    }
    let earlier = try EarlierOption(
      "previous", flows, options("--from=2026-01-10"), CommandFiles())
    #expect(earlier?.countsAgain == true)
    #expect(try EarlierOption(nil, flows, options(), CommandFiles()) == nil)
  }
}
