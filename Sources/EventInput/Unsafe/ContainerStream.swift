/// The events of a JSON container, one a line.
final class ContainerStream: UnpackingStream {
  /// Cuts the file into pieces; `nil` where they are lines already.
  private var walker: ContainerWalker?
  private let opensEnvelopes: Bool
  /// A piece of which only the beginning was read.
  private var piece: [UInt8] = []

  /// - Parameters:
  ///   - inner: the rest of the container's bytes, after those that were looked at.
  ///   - beginning: the bytes that were looked at.
  ///   - result: what `inner` returned after them, if it was read further.
  init(
    _ inner: ByteStream, after beginning: UnsafeRawBufferPointer, then result: ReadResult?,
    _ container: EventContainer, log: DamageLog, offset: @escaping () -> Int
  ) {
    walker = container.path.map { unsafe ContainerWalker($0, beginning: beginning) }
    opensEnvelopes = container.opensEnvelopes
    super.init(inner, then: result, log: log, offset: offset)
    unsafe take(beginning)
  }

  override func endMember() {
    // Parts that were put together with `cat` may lack their last line feed.
    if walker == nil, piece.last == UInt8(ascii: "}") { endPiece() }
  }

  override func finish() {
    if walker == nil, !piece.isEmpty { endPiece() }
    endLine()
    if walker?.isComplete == false {
      log.add(at: offset(), "the file ends inside its JSON, before the last bracket is closed")
      cutOff()
    }
  }

  /// Bytes are lost here: what was begun is a line that is cut off.
  override func cutOff() {
    endLine()
    isCut = walker.map(\.isInEvent) ?? !piece.isEmpty
    output += piece
    piece.removeAll(keepingCapacity: true)
    walker?.reset()
  }

  override func take(_ bytes: UnsafeRawBufferPointer) {
    if walker == nil {
      unsafe cut(bytes)
    } else if opensEnvelopes {
      var pieces: [UInt8] = []
      unsafe walker?.take(bytes, into: &pieces)
      unsafe pieces.withUnsafeBytes { unsafe cut($0) }
    } else {
      unsafe walker?.take(bytes, into: &output)
    }
    noteDamage()
  }

  private func noteDamage() {
    guard let walker, walker.isMismatched || walker.unclosedItems > 0 else { return }
    noteDamage(of: walker)
    self.walker?.forgetDamage()
  }

  private func noteDamage(of walker: ContainerWalker) {
    if walker.isMismatched {
      log.add(at: offset(), "a bracket closes what was never opened; it was passed over")
    }
    if walker.unclosedItems > 0 {
      let items = walker.unclosedItems == 1 ? "an item lacks" : "\(walker.unclosedItems) items lack"
      log.add(
        at: offset(),
        "\(items) a quote or a bracket, or had one too many; reading went on at the next item")
    }
  }

  /// The line at hand ends where the bytes do.
  private func endLine() {
    if opensEnvelopes {
      var pieces: [UInt8] = []
      walker?.endLine(into: &pieces)
      unsafe pieces.withUnsafeBytes { unsafe cut($0) }
    } else {
      walker?.endLine(into: &output)
    }
    noteDamage()
  }

  /// Takes whole lines as pieces.
  private func cut(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    for index in bytes.indices where unsafe bytes[index] == UInt8(ascii: "\n") {
      unsafe piece += bytes[start...index]
      start = index + 1
      openPiece()
    }
    unsafe piece += bytes[start...]
  }

  private func endPiece() {
    piece.append(UInt8(ascii: "\n"))
    openPiece()
  }

  /// Writes the events of a piece: of an envelope those in it, and else the piece itself.
  private func openPiece() {
    defer { piece.removeAll(keepingCapacity: true) }
    let (path, isMessage, marked) = unsafe piece.withUnsafeBytes { bytes in
      var survey = unsafe ContainerSurvey(bytes)
      return survey.contents()
    }
    if isMessage { return }
    if let marked {
      let rows = ChangeMessage.rows(of: piece, at: marked.path, marked: marked.mark)
      output += rows
      if !rows.isEmpty { return }
    }
    guard let path else {
      output += piece
      return
    }
    if path == SharedBatch.path, let lines = SharedBatch.lines(of: piece) {
      output += lines
      return
    }
    let before = output.count
    let isList = path.wrapperKeys != nil
    var walker = unsafe piece.withUnsafeBytes {
      unsafe ContainerWalker(path, beginning: isList ? $0 : nil)
    }
    unsafe piece.withUnsafeBytes { unsafe walker.take($0, into: &output) }
    if walker.isComplete && walker.hasArrived && !walker.isMismatched && walker.unclosedItems == 0 {
      return
    }
    if isList, walker.hasArrived {
      keepItems(of: &walker)
    } else {
      output.removeLast(output.count - before)
      output += piece
    }
  }

  /// A list of events is broken somewhere: its other items count.
  private func keepItems(of walker: inout ContainerWalker) {
    walker.endLine(into: &output)
    if walker.isInEvent { output.append(UInt8(ascii: "\n")) }
    noteDamage(of: walker)
    if !walker.isComplete {
      log.add(at: offset(), "a line ends inside its JSON, before the last bracket is closed")
    }
  }
}
