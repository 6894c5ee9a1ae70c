import ArgumentParser
import EventInput
import Testing

@testable import FirstMileCommands

/// The values of options, as people write them.
@Suite struct OptionValueTests {
  @Test func `a size of memory has a unit of 1024, or none`() {
    let sizes = [
      "512M": 512 << 20, "2g": 2 << 30, "1536KB": 1536 << 10, "1000000": 1_000_000, "1K": 1024,
      "1024b": 1024,
    ]
    for (text, bytes) in sizes { #expect(MemorySize(argument: text)?.bytes == bytes, "\(text)") }
    let wrong = ["", "M", "0", "-1K", "1.5G", "1023", "5T", "1 M", "١M", "9000000000G"]
    for text in wrong {
      #expect(MemorySize(argument: text) == nil, "\(text)")
      #expect(throws: ValidationError.self, "\(text)") { try MemorySize.parse(text) }
    }
    #expect(MemorySize(bytes: 3 << 20).description == "3M")
    #expect(MemorySize(bytes: 1536).description == "1536")
  }

  @Test func `a person is an id, or a hash of 32 digits`() throws {
    let digits = "0123456789abcdef0000000000000007"
    let hash = IdentifierHash(high: 0x0123_4567_89ab_cdef, low: 7)
    #expect(try PersonName("u-7") == .id("u-7"))
    #expect(try PersonName("##7") == .id("#7"))
    #expect(try PersonName("#" + digits) == .hash(hash))
    // Without the sign it is an id, and so it is with one more.
    #expect(try PersonName(digits) == .id(digits))
    #expect(try PersonName("##" + digits) == .id("#" + digits))
    for text in ["#", "#7", "#\(digits)0", "#\(digits.dropLast())g"] {
      #expect(throws: CommandError.self, "\(text)") { try PersonName(text) }
    }
  }

  @Test func `a person that is named by an id has the hashes of a user and of devices`() throws {
    let key = IdentifierKey.fixed
    let named = try PersonName("u-7").hashes(key)
    #expect(named.user == key.hash(of: "u-7", domain: .user))
    #expect(named.devices.contains(key.hash(of: "u-7", domain: .device)))
    let hash = IdentifierHash(high: 1, low: 2)
    #expect(PersonName.hash(hash).hashes(key).user == hash)
    #expect(PersonName.hash(hash).hashes(key).devices == [hash])
  }

  @Test func `raw ids are asked for with the file that they go to, and confirmed`() throws {
    let options = try PeopleOptions.parse(["--people", "p.csv", "--raw-ids", "--yes-raw-ids"])
    #expect(options.file == "p.csv" && options.rawIds)
    try options.confirm()
    for words in [["--raw-ids"], ["--yes-raw-ids"], ["--people", "p.csv", "--yes-raw-ids"]] {
      #expect(throws: (any Error).self, "\(words)") { try PeopleOptions.parse(words) }
    }
  }
}
