/// A stream that makes lines of events of another stream's bytes, which hold them in another way.
///
/// Those who inherit from it write lines to `output`, and say what to do with what was begun where
/// bytes are lost.
class UnpackingStream: ByteStream {
  final let log: DamageLog
  /// How far the source is read.
  final let offset: () -> Int
  final var output: [UInt8] = []
  /// Whether the output ends with the beginning of a line that is cut off.
  final var isCut = false
  private let inner: ByteStream
  private var input: [UInt8]
  /// Bytes of the output that were given away.
  private var given = 0
  private var isAtEnd = false
  /// What the inner stream has returned already, after the beginning.
  private var pending: ReadResult?

  /// - Parameters:
  ///   - inner: the rest of the bytes, after those that were looked at.
  ///   - result: what `inner` returned after them, if it was read further.
  init(
    _ inner: ByteStream, then result: ReadResult?, log: DamageLog, offset: @escaping () -> Int
  ) {
    self.inner = inner
    self.log = log
    self.offset = offset
    pending = result
    input = Array(repeating: 0, count: 1 << 16)
  }

  /// Takes the next bytes.
  func take(_ bytes: UnsafeRawBufferPointer) {}
  /// A compressed member ended.
  func endMember() {}
  /// Bytes are lost here.
  func cutOff() {}
  /// Nothing follows.
  func finish() {}

  final override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while given == output.count {
      output.removeAll(keepingCapacity: true)
      given = 0
      if isCut {
        isCut = false
        return .damage
      }
      if isAtEnd { return .end }
      let next =
        try unsafe pending ?? input.withUnsafeMutableBytes { try unsafe inner.read(into: $0) }
      pending = nil
      switch next {
      case .bytes(let count):
        unsafe input.withUnsafeBytes { unsafe take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      case .memberEnd: endMember()
      case .damage: cutOff()
      case .end:
        isAtEnd = true
        finish()
      }
    }
    let count = min(target.count, output.count - given)
    unsafe output[given..<(given + count)].withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    given += count
    return .bytes(count)
  }
}
