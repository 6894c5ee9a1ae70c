/// The events of a JSON container, one a line.
final class ContainerStream: ByteStream {
  private let inner: ByteStream
  private let log: DamageLog
  private let offset: () -> Int
  /// Cuts the file into pieces; `nil` where they are lines already.
  private var walker: ContainerWalker?
  private let opensEnvelopes: Bool
  private var input: [UInt8]
  /// A piece of which only the beginning was read.
  private var piece: [UInt8] = []
  private var output: [UInt8] = []
  /// Bytes of the output that were given away.
  private var given = 0
  private var isAtEnd = false
  /// Whether the output ends with the beginning of a line that is cut off.
  private var isCut = false
  /// What the inner stream has returned already, after the beginning.
  private var pending: ReadResult?

  /// - Parameters:
  ///   - inner: the rest of the container's bytes, after those that were looked at.
  ///   - beginning: the bytes that were looked at.
  ///   - result: what `inner` returned after them, if it was read further.
  init(
    _ inner: ByteStream, after beginning: UnsafeRawBufferPointer, then result: ReadResult?,
    _ container: EventContainer, log: DamageLog, offset: @escaping () -> Int
  ) {
    pending = result
    self.inner = inner
    self.log = log
    self.offset = offset
    walker = container.path.map { ContainerWalker($0) }
    opensEnvelopes = container.opensEnvelopes
    input = Array(repeating: 0, count: 1 << 16)
    super.init()
    take(beginning)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while given == output.count {
      output.removeAll(keepingCapacity: true)
      given = 0
      if isCut {
        isCut = false
        return .damage
      }
      if isAtEnd { return .end }
      let next = try pending ?? input.withUnsafeMutableBytes { try inner.read(into: $0) }
      pending = nil
      switch next {
      case .bytes(let count):
        input.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      case .memberEnd:
        // Parts that were put together with `cat` may lack their last line feed.
        if walker == nil, piece.last == UInt8(ascii: "}") { endPiece() }
      case .damage: cutOff()
      case .end:
        isAtEnd = true
        if walker == nil, !piece.isEmpty { endPiece() }
        if walker?.isComplete == false {
          log.add(at: offset(), "the file ends inside its JSON, before the last bracket is closed")
          cutOff()
        }
      }
    }
    let count = min(target.count, output.count - given)
    output[given..<(given + count)].withUnsafeBytes { target.copyMemory(from: $0) }
    given += count
    return .bytes(count)
  }

  /// Bytes are lost here: what was begun is a line that is cut off.
  private func cutOff() {
    isCut = walker.map(\.isInEvent) ?? !piece.isEmpty
    output += piece
    piece.removeAll(keepingCapacity: true)
    walker?.reset()
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    if walker == nil {
      cut(bytes)
    } else if opensEnvelopes {
      var pieces: [UInt8] = []
      walker?.take(bytes, into: &pieces)
      pieces.withUnsafeBytes { cut($0) }
    } else {
      walker?.take(bytes, into: &output)
    }
    if walker?.isMismatched == true {
      walker?.forgetMismatch()
      log.add(at: offset(), "a bracket closes what was never opened; it was passed over")
    }
  }

  /// Takes whole lines as pieces.
  private func cut(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      piece += bytes[start...index]
      start = index + 1
      openPiece()
    }
    piece += bytes[start...]
  }

  private func endPiece() {
    piece.append(UInt8(ascii: "\n"))
    openPiece()
  }

  /// Writes the events of a piece: of an envelope those in it, and else the piece itself.
  private func openPiece() {
    defer { piece.removeAll(keepingCapacity: true) }
    let (path, isMessage) = piece.withUnsafeBytes { bytes in
      var survey = ContainerSurvey(bytes)
      return survey.contents()
    }
    if isMessage { return }
    guard let path else {
      output += piece
      return
    }
    let before = output.count
    var walker = ContainerWalker(path)
    piece.withUnsafeBytes { walker.take($0, into: &output) }
    if walker.isComplete && walker.hasArrived && !walker.isMismatched { return }
    output.removeLast(output.count - before)
    output += piece
  }
}
