import EventInput
import Foundation
import Testing

/// Samples of whole people: all events of some, however the dump is cut and ordered.
@Suite struct SampledPeopleTests {
  /// Person n has n % 7 + 1 events on a device, the later half with a user, and one that a server
  /// sent for the user.
  private static let lines: [String] = (0..<400).flatMap { person in
    (0...(person % 7)).map { number in
      let user = number * 2 > person % 7 ? ",\"user_id\":\"u\(person)\"" : ""
      return "{\"event\":\"e\(number)\",\"device_id\":\"d\(person)\",\"timestamp\":"
        + "\(1_768_989_600 + person + number)\(user)}"
    }
      + (person % 7 > 0
        ? [
          "{\"event\":\"sent\",\"user_id\":\"u\(person)\",\"timestamp\":\(1_768_999_600 + person)}"
        ]
        : [])
  }

  private static func sample(_ files: [[String]], limit: Int) throws -> [SampledEvent] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-people-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var sources: [InputSource] = []
    for (number, lines) in files.enumerated() {
      let file = folder.appendingPathComponent("\(number).ndjson")
      try Data(lines.joined(separator: "\n").utf8).write(to: file)
      sources.append(.file(file.path))
    }
    var sampler = DumpSampler()
    sampler.eventLimit = limit
    return sampler.sample(sources).events
  }

  @Test(arguments: [300, 900])
  func `people are in it whole or not at all`(limit: Int) throws {
    let events = try Self.sample([Self.lines], limit: limit)
    #expect(events.count <= limit && events.count > limit / 4)
    let counts = Dictionary(grouping: events, by: \.person).mapValues(\.count)
    for (person, count) in counts {
      let number = try #require(Int(person.dropFirst()))
      // What the device alone sent is its user's, and so is what the server sent.
      #expect(person.first == (number % 7 > 0 ? "u" : "d"))
      #expect(count == number % 7 + (number % 7 > 0 ? 2 : 1), "\(person)")
    }
  }

  @Test func `files change nothing about who is in it`() throws {
    let whole = try Self.sample([Self.lines], limit: 300)
    let halves = [Array(Self.lines[..<700]), Array(Self.lines[700...])]
    let cut = try Self.sample(halves, limit: 300)
    #expect(Set(whole.map(\.person)) == Set(cut.map(\.person)))
    #expect(whole.count == cut.count)
  }

  @Test func `a robot leaves room for people`() throws {
    let robot = (0..<5000).map {
      "{\"event\":\"ping\",\"device_id\":\"robot\",\"timestamp\":\(1_768_989_600 + $0)}"
    }
    let events = try Self.sample([robot, Self.lines], limit: 60_000)
    #expect(events.count { $0.person == "robot" } == 2000)
    #expect(events.count == 2000 + Self.lines.count)
  }
}
