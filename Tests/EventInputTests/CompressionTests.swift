import EventInput
import Foundation
import Testing

/// Whatever the packing, the same events come out; what is broken is told, the rest is kept.
struct CompressionTests {
  static let lines = (0..<4000).map {
    line("\"n\":\($0)", id: "user-\($0 % 37)-\($0 * 7919 % 101)")
  }
  static let text = Array((lines.joined(separator: "\n") + "\n").utf8)
  static let plainEvents = Result { try scan(text).events }

  private static func cut(_ bytes: [UInt8], into count: Int) -> [[UInt8]] {
    let size = bytes.count / count + 1
    return stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
  }

  static let packings: [(name: String, compression: Compression, bytes: [UInt8])] = [
    ("gzip", .gzip, Packing.gzip(text)),
    ("gzip members", .gzip, cut(text, into: 300).flatMap(Packing.gzip)),
    (
      "gzip with empty members and padding", .gzip,
      Packing.gzip([]) + Packing.gzip(text) + Packing.gzip([]) + [0, 0, 0, 0]
    ),
    ("zstd", .zstd, Packing.zstd(text)),
    (
      "zstd frames", .zstd,
      [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 9, 9, 9] + cut(text, into: 50).flatMap(Packing.zstd)
    ),
    ("zip", .zip, Packing.zip([.init(name: "a.json", bytes: text)])),
    ("zip, stored", .zip, Packing.zip([.init(name: "a.json", bytes: text, isDeflated: false)])),
    (
      "zip, sizes after the data", .zip,
      Packing.zip([
        .init(name: "empty", bytes: [], hasDescriptor: true),
        .init(name: "a.json", bytes: text, hasDescriptor: true),
      ])
    ),
    (
      "zip of gzip", .zip,
      Packing.zip([.init(name: "a.json.gz", bytes: Packing.gzip(text), isDeflated: false)])
    ),
  ]

  @Test(arguments: packings.indices, [false, true])
  func sameEvents(index: Int, overlap: Bool) throws {
    let packing = Self.packings[index]
    let outcome = try scan(packing.bytes, overlap: overlap)
    #expect(outcome.summary.compression == packing.compression)
    #expect(outcome.summary.damages == [])
    #expect(outcome.summary.uncompressedBytes == Self.text.count)
    #expect(outcome.summary.compressedBytes == packing.bytes.count)
    #expect(try outcome.events == Self.plainEvents.get(), "\(packing.name)")
  }

  @Test(arguments: [
    ("a.ndjson.gz", "gzip"), ("A.GZ", "gzip"), ("b.zst", "zstd"), ("c.zip", "zip"),
  ])
  func aNameThatTheBytesDoNotKeepIsTold(name: String, promised: String) throws {
    var summary = try scan(Array("no json\n".utf8)).summary
    #expect(summary.misnaming == nil, "the name promises nothing")
    summary.name = name
    #expect(try #require(summary.misnaming).contains("the bytes aren't \(promised)"))
    var usable = summary
    usable.events = 1
    #expect(usable.misnaming == nil, "unpacked, and the name kept")
    summary.compression = .gzip
    #expect(summary.misnaming == nil, "packed, whatever the name says")
    var empty = try scan([]).summary
    empty.name = name
    #expect(empty.misnaming == nil)
  }

  /// What `xxh128sum` and `sha256sum` print for the same bytes.
  @Test(arguments: [
    "xxh3-128:06b05ab6733a618578af5f94892f3950",
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  ])
  func `a digest is that of the file and names its kind`(wanted: String) throws {
    let digest = try #require(SourceDigest(wanted))
    #expect(digest.description == wanted)
    var plan = TestPlan.plan()
    plan.digest = digest.kind
    #expect(try scan(Array("abc".utf8), plan: plan).summary.digest == digest)
    // In whatever pieces it is read, and all of it, also where an archive ends before the file.
    let packed = Packing.gzip(Self.text) + Array("behind it".utf8)
    let whole = try scan(packed, plan: plan).summary.digest
    #expect(whole?.kind == digest.kind && whole != digest)
  }

  @Test func `only digits of the right number are a digest`() {
    let digits = String(repeating: "0aF9", count: 16)
    #expect(SourceDigest(digits) == SourceDigest(.sha256, hexadecimal: digits.lowercased()))
    for wrong in [
      "", "sha256:", "xxh3-128:\(digits)", "md5:\(digits)", "sha256:\(digits)0",
      "a:sha256:\(digits)", String(repeating: "é", count: 32),
    ] {
      #expect(SourceDigest(wrong) == nil, "\(wrong)")
    }
  }

  @Test(arguments: [2, 7])
  func truncatedGzipKeepsWhatCameBefore(part: Int) throws {
    let packed = Packing.gzip(Self.text)
    let outcome = try scan(Array(packed[..<(packed.count * part / 10)]))
    let expected = try Self.plainEvents.get()
    #expect(outcome.events.count > 100)
    #expect(outcome.events == Array(expected[..<outcome.events.count]))
    #expect(outcome.summary.damages.count == 1)
    #expect(outcome.summary.rejectsByReason.keys.allSatisfy { $0 == .truncated })
    #expect(outcome.summary.rejects <= 1)
  }

  @Test func corruptMemberDoesNotCostTheNext() throws {
    let members = Self.cut(Self.text, into: 3).map(Packing.gzip)
    var second = members[1]
    for index in second.count / 2..<second.count / 2 + 40 { second[index] ^= 0x55 }
    let outcome = try scan(members[0] + second + members[2])
    #expect(outcome.summary.damages.count >= 1)
    let expected = try Self.plainEvents.get()
    #expect(outcome.events.count > 2600)
    #expect(outcome.events.last == expected.last)
    #expect(outcome.events.first == expected.first)
  }

  @Test func wrongChecksumIsTold() throws {
    var packed = Packing.gzip(Self.text)
    packed[packed.count - 6] ^= 1
    let outcome = try scan(packed)
    #expect(outcome.summary.damages.count == 1)
    #expect(outcome.summary.damages.first?.message.contains("checksum") == true)
    #expect(outcome.events.count == 4000)
  }

  @Test func garbageAfterGzip() throws {
    let outcome = try scan(Packing.gzip(Self.text) + Array("garbage".utf8))
    #expect(outcome.events.count == 4000)
    #expect(outcome.summary.damages.count == 1)
    #expect(outcome.summary.rejects == 0)
  }

  @Test func truncatedZstdAndZip() throws {
    let zstd = Packing.zstd(Self.text + Self.text.map { $0 ^ 1 })
    let broken = try scan(Array(zstd.dropLast(10)))
    #expect(broken.summary.damages.count == 1)
    let zip = Packing.zip([.init(name: "a", bytes: Self.text)])
    let outcome = try scan(Array(zip[..<(zip.count / 2)]))
    #expect(outcome.summary.damages.count == 1)
    #expect(outcome.events.count > 500)
  }

  @Test func linesOfZipMembersAreCountedByMember() throws {
    let bytes = Packing.zip([
      .init(name: "folder/", bytes: [], isDeflated: false),
      .init(name: "a", bytes: Array((line() + "\nx").utf8)),
      .init(name: "b", bytes: [0xEF, 0xBB, 0xBF] + Array((line() + "\n\ny\n").utf8)),
    ])
    let outcome = try scan(bytes)
    #expect(outcome.events.count == 2)
    #expect(outcome.rejects.map { $0["line"] } == ["2", "3"])
    #expect(outcome.rejects.allSatisfy { $0["file"]?.contains("input/") == true })
  }

  @Test func zipInZipIsRefused() throws {
    let inner = Packing.zip([.init(name: "a", bytes: Self.text)])
    let outcome = try scan(Packing.zip([.init(name: "inner.zip", bytes: inner)]))
    #expect(outcome.events.isEmpty)
    #expect(outcome.summary.damages.count == 1)
  }

  @Test func catOfFilesWithoutLastLineFeedLosesNothing() throws {
    let one = Array(line().utf8)
    for pack in [Packing.gzip, Packing.zstd] {
      let outcome = try scan(pack(one) + pack(one + [10]) + pack(one))
      #expect(outcome.events.count == 3)
      #expect(outcome.summary.rejects == 0)
    }
    // Where the cut is inside a string, it is no line's end.
    let text = line("\"x\":\"a}{b\"")
    let parts = text.split(separator: "}", maxSplits: 1)
    let outcome = try scan(
      Packing.gzip(Array("\(parts[0])}".utf8)) + Packing.gzip(Array(parts[1].utf8)))
    #expect(outcome.events.count == 1)
  }

  @Test func bombIsReadInBoundedMemory() throws {
    // 64 MB of one line's worth of spaces, packed into 64 KB.
    let bomb = Packing.gzip([UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20))
    let outcome = try scan(bomb)
    #expect(outcome.summary.rejectsByReason == [.lineTooLong: 1])
    #expect(outcome.rejects.first?["text"]?.utf8.count == 1 << 20)
    #expect(outcome.rejects.first?["detail"]?.contains("67108864 bytes") == true)
  }

  @Test func missingFileAndFolder() throws {
    let scanner = SourceScanner(plan: TestPlan.plan(), key: .fixed)
    for path in ["/nonexistent/file", "/"] {
      let summary = try scanner.scan(.file(path), rejects: nil) { _ in }
      #expect(summary.unreadable != nil)
      #expect(summary.events == 0)
    }
  }
}
