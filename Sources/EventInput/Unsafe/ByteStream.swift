/// What a read of a stream brought.
enum ReadResult: Equatable {
  /// So many bytes (at least one) were written, all from the same member.
  case bytes(Int)
  /// A compressed member ended; another may follow.
  case memberEnd
  /// Data were lost here; a line that was begun before is cut off.
  case damage
  case end
}

/// Bytes in order, pulled by their reader. Used by one thread at a time.
class ByteStream {
  /// Writes up to `target.count` (> 0) bytes; throws an `InputProblem` if the source can't be read.
  func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult { .end }
}

/// Where the stages of decompression put what they found broken. One for each source.
final class DamageLog {
  /// More are counted in the last message only: a file of garbage must not fill the memory.
  static let maximumDamages = 100
  private(set) var damages: [InputDamage] = []

  func add(at byteOffset: Int, _ message: String) {
    if damages.count < Self.maximumDamages {
      damages.append(InputDamage(byteOffset: byteOffset, message: message))
    } else if damages.count == Self.maximumDamages {
      damages.append(
        InputDamage(byteOffset: byteOffset, message: "more damage from here on is not listed"))
    }
  }
}
