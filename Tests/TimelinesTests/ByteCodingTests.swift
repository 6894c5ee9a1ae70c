import ReferenceEvaluator
import Testing

@testable import Timelines

/// What was written byte by byte is read back, and takes as little as it can.
struct ByteCodingTests {
  /// All powers of two and their neighbours, and some in between.
  private static let numbers: [UInt64] = {
    var generator = SeededGenerator(seed: 31)
    let edges = (0..<61).flatMap { bit -> [UInt64] in
      let power: UInt64 = 1 << UInt64(bit)
      return [power - 1, power, power + 1].filter { $0 < 1 << 61 }
    }
    return edges
      + (0..<1_000).map { _ in
        UInt64.random(in: 0..<1 << 61, using: &generator)
          >> UInt64.random(in: 0..<61, using: &generator)
      }
  }()

  @Test func countedNumbersComeBack() {
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: Self.numbers.count * 8 + 64, alignment: 8)
    defer { start.deallocate() }
    var writer = ByteWriter(at: start)
    var bytes = 0
    for number in Self.numbers {
      let before = writer.next
      writer.append(counted: number)
      let bits = 64 - number.leadingZeroBitCount
      #expect(writer.next - before == max(1, (bits + 3 + 7) / 8), "\(number)")
      bytes += writer.next - before
    }
    var reader = ByteReader(at: start, end: start + bytes)
    for number in Self.numbers { #expect(reader.counted() == number) }
    #expect(reader.isAtEnd && reader.remaining == 0)
  }

  /// Behind the end there is nothing, whatever stands there.
  @Test func behindTheEndThereIsNothing() {
    let start = UnsafeMutableRawPointer.allocate(byteCount: 96, alignment: 8)
    defer { start.deallocate() }
    start.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 96)
    var reader = ByteReader(at: start, end: start + 8)
    #expect(reader.counted() == UInt64.max >> 3)
    #expect(reader.isAtEnd)
    _ = reader.counted()
    #expect(reader.counted() == 0 && reader.remaining < 0)
  }
}
