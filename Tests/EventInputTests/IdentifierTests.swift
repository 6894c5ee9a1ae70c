import Testing

@testable import EventInput

/// Ids: the hash is the published one, and domains and keys don't mix.
struct IdentifierTests {
  /// From `vectors.h` of the reference implementation: key 00 01 … 0f, input 00 01 … of growing
  /// length, 128-bit output, here as its two little-endian words.
  static let vectors: [(count: Int, low: UInt64, high: UInt64)] = [
    (0, 0xe6a8_25ba_047f_81a3, 0x9302_55c7_1472_f66d),
    (1, 0x44af_996b_d8c1_87da, 0x45fc_229b_1159_7634),
    (2, 0xc75d_a4a4_8d22_7781, 0xe4ff_0af6_de8b_a3fc),
    (3, 0x4ea9_6752_0cb6_709c, 0x51ed_8529_b0b6_335f),
    // From 7 on as OpenSSL's SIPHASH gives them.
    (7, 0x53c1_dbd8_beeb_f1a1, 0x3982_f01f_a64a_b8c0),
    (8, 0x61f5_5862_baa9_623b, 0xb497_14f3_64e2_830f),
    (15, 0x11a8_b033_99e9_9354, 0xd9c3_cf97_0fec_087e),
    (16, 0xbb54_b067_caa4_e26e, 0x7705_2385_bf15_33fd),
    (36, 0x4648_c429_1f7d_c43d, 0x1167_4f90_ed76_9e1e),
    (63, 0x4a83_502f_77d1_5051, 0x7cbd_3f97_9a06_3e50),
  ]

  @Test(arguments: vectors)
  func referenceVectors(count: Int, low: UInt64, high: UInt64) {
    let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
    let result = (0..<UInt8(count)).map { $0 }.withUnsafeBytes { hash.hash($0) }
    #expect(result.low == low)
    #expect(result.high == high)
  }

  @Test func equalIdsInTwoDomainsAndUnderTwoKeysDiffer() {
    let other = IdentifierKey(bytes: Array(1...16))
    let hashes = IdentifierDomain.allCases.flatMap { domain in
      [IdentifierKey.fixed.hash(of: "u1", domain: domain), other.hash(of: "u1", domain: domain)]
    }
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func theScannerHashesAsTheKeyDoes() throws {
    for id in ["a", "1234567", "12345678", "größe", String(repeating: "x", count: 100)] {
      let event = try scan(
        """
        {"event":"x","user_id":"\(id)","device_id":"d\(id)","session_id":"s\(id)",\
        "timestamp":1768989600}
        """
      ).events.first
      #expect(event?.user == IdentifierKey.fixed.hash(of: id, domain: .user))
      #expect(event?.device == IdentifierKey.fixed.hash(of: "d\(id)", domain: .device))
      let session = IdentifierKey.fixed.hash(of: "s\(id)", domain: .session)
      #expect(event.map { UInt64($0.session) } == session.low)
    }
  }
}
