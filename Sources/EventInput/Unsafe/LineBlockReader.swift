/// Cuts a source's text into blocks of whole lines.
///
/// The part of a line at the end of one block is carried over to the beginning of the next. It does
/// not matter for the lines where blocks, compressed members or reads end. Used by one thread at a
/// time; may be another than the one that scans the blocks.
///
/// Where one gzip member or zstd frame ends without a line feed and the next begins a new object,
/// the line is taken to end there: files that were put together with `cat` lose no event.
@safe final class LineBlockReader: @unchecked Sendable {
  static let chunkBytes = 1 << 17

  let file: RawFile
  let log = DamageLog()
  let compression: Compression
  private(set) var uncompressedBytes = 0
  private let window: InputWindow
  private var archive: MemberArchive?
  private let source: InputSource
  var sourceName: String { source.name }
  var isArchive: Bool { archive != nil }
  let keptBytes: Int
  /// What is being read now; nil before the first member of an archive and at the end.
  private var content: ByteStream?
  private var newName: String?
  /// Whether it has yet to be seen how the file's events are packed.
  private var isAtFileStart = false
  /// Whether a byte-order mark was blanked out at the beginning of the file's first lines.
  private var beganWithMark = false
  private var isTable = false
  private var isUntyped = false
  /// Whether the names in the file's lines of JSON are in capitals.
  private var hasNamesInCapitals = false
  /// How the table is written that is being read, or was read last.
  private(set) var table: TableLayout?
  /// How often what was unpacked turned out to be compressed once more, as servers do it.
  private var openedLayers = 0
  private static let maximumLayers = 3
  /// The beginning of a line whose end has not been read yet.
  var carry: [UInt8] = []
  /// Whether a member ended right after `carry`.
  var isMemberEnd = false
  /// Files of an archive that were left out because they hold no events.
  private(set) var passedOver: [String] = []
  /// Whether one of them was a table, of which a reader may ask why.
  private(set) var hasPassedOverTable = false
  /// Bytes of a line that is too long, read so far, if we are inside one.
  var longLineBytes: Int?
  /// By which a table in an archive holds events; where it is missing, all tables are read.
  private let recognition: EventRecognition?
  let lexerState: UnsafeMutablePointer<LexerState>

  /// - Parameters:
  ///   - isOfLines: whether to cut the text into lines, whatever it holds.
  ///   - recognition: what leaves tables of other things in archives out.
  init(
    _ source: InputSource, maximumLineBytes: Int, digest: SourceDigest.Kind = .xxh3,
    isOfLines: Bool = false, passingOver recognition: EventRecognition? = nil
  ) throws {
    let file = try RawFile(source, digest: digest)
    self.file = file
    self.source = source
    self.recognition = recognition
    // One byte more than the limit is enough to know that a line is too long.
    keptBytes = max(maximumLineBytes + 1, RejectPart.maximumKeptBytes)
    window = InputWindow(file)
    compression = try Compression.of(window, name: source.name)
    let offset = { file.bytesRead }
    if compression == .zip {
      if let foreign = try ForeignFile.ofZip(window) {
        throw InputProblem(
          name: source.name, message: foreign.advice(source, isCompressed: false),
          kind: .foreign(foreign.what))
      }
      archive = ZipArchive(window, log: log, offset: offset)
    } else {
      archive = nil
      content = compression.stream(window, log: log, offset: offset)
      newName = source.name
      isAtFileStart = !isOfLines
    }
    unsafe lexerState = .allocate(capacity: 1)
    unsafe lexerState.initialize(to: LexerState())
  }

  deinit {
    unsafe lexerState.deallocate()
  }

  /// Fills the block with the next lines; false at the end.
  func next(_ block: LineBlock) throws -> Bool {
    block.count = 0
    block.kind = .lines
    block.newName = nil
    while true {
      guard let content = try currentContent() else { return false }
      var filled = takeCarry(block)
      let target = unsafe roomAfter(filled, block)
      switch try unsafe content.read(into: target) {
      case .bytes(let count):
        uncompressedBytes += count
        if isAtFileStart, try unpack(block, filled + count, then: nil) { continue }
        filled = joinMembers(block, filled: filled, added: count)
        if endBlock(block, filled: filled, added: count), deliver(block) { return true }
      case .memberEnd:
        if isAtFileStart, try unpack(block, filled, then: .memberEnd) { continue }
        putCarry(block, 0..<filled)
        isMemberEnd = true
      case .damage:
        if isAtFileStart, try unpack(block, filled, then: .damage) { continue }
        if endLastLine(block, filled: filled, isDamaged: true), deliver(block) { return true }
      case .end:
        if isAtFileStart, try unpack(block, filled, then: .end) { continue }
        self.content = nil
        if endLastLine(block, filled: filled, isDamaged: false), deliver(block) { return true }
      }
    }
  }

  /// Says what the block holds; false where its file is left out.
  private func deliver(_ block: LineBlock) -> Bool {
    block.newName = newName
    (block.beganWithMark, beganWithMark) = (beganWithMark, false)
    if newName != nil { hasNamesInCapitals = !isTable && block.hasNamesInCapitals }
    if hasNamesInCapitals { block.lowerNames() }
    block.isTable = isTable || hasNamesInCapitals
    block.columnCount = isTable ? table?.header.count ?? 0 : 0
    block.headLines = isTable && table?.header.isEmpty == false ? 1 : 0
    block.isUntyped = isUntyped
    block.bytesRead = file.bytesRead
    if isOtherTable(block) {
      passedOver.append(newName ?? sourceName)
      hasPassedOverTable = true
      (content, newName) = (nil, nil)
      carry.removeAll()
      return false
    }
    newName = nil
    return true
  }

  /// Whether the block begins a table in an archive that, by its columns' names and its first rows,
  /// is one of something else.
  private func isOtherTable(_ block: LineBlock) -> Bool {
    guard archive != nil, newName != nil, isTable, table?.isOfNames == true,
      case .lines = block.kind, let recognition
    else { return false }
    return !recognition.findsEvents(in: block, limit: .max)
  }

  /// Goes to the next member of an archive where there is one.
  private func currentContent() throws -> ByteStream? {
    if let content { return content }
    guard let archive, let (name, member) = try archive.nextMember() else { return nil }
    let file = file
    let inner = InputWindow(member)
    let stream = try Compression.of(inner, name: name).stream(inner, log: log) { file.bytesRead }
    newName = "\(sourceName)/\(name)"
    (isAtFileStart, beganWithMark) = (true, false)
    openedLayers = 0
    (isTable, isUntyped) = (false, false)
    isMemberEnd = false
    content = stream
    return stream
  }
}

// Files that are not one event a line.
extension LineBlockReader {
  /// Looks at the beginning of a file, which is in the block. Where its events are packed in JSON,
  /// the content unpacks them from here on; where more of the file is needed, the bytes are kept.
  ///
  /// - Parameter result: what the content returned after those bytes; `nil` if it wasn't read
  ///   further.
  /// - Returns: whether to read on instead of taking the bytes as lines.
  private func unpack(
    _ block: LineBlock, _ count: Int, then result: ReadResult?
  ) throws -> Bool {
    guard let content else { return false }
    if block.blankMark(at: 0, of: count) { beganWithMark = true }
    let bytes = unsafe UnsafeRawBufferPointer(start: block.buffer, count: count)
    let first = unsafe bytes.first { $0 > 0x20 }
    // Nothing can be seen in an empty member; after very many blank lines nothing is looked for.
    if first == nil, count <= keptBytes, result == nil || result == .memberEnd {
      putCarry(block, 0..<count)
      return true
    }
    if unsafe ReturnStream.isNeeded(bytes) {
      uncompressedBytes -= count
      self.content = unsafe ReturnStream(RejoinedStream(bytes, then: result, content))
      return true
    }
    // No line may be longer: an object that is longer is none.
    let isWhole = result != nil || count > keptBytes
    let isWide = unsafe ForeignFile.wideText(Array(bytes.prefix(64))) != nil
    let isJSON = !isWide && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
    if unsafe !isJSON || TableLayout.beginsInBraces(bytes) {
      // A table's header may go on in the next member.
      let isWhole = isWhole && (result != .memberEnd || count > keptBytes)
      if let isTaken = try unsafe unpackOther(block, bytes, content, then: result, isWhole: isWhole)
      {
        return isTaken
      }
    }
    if first == UInt8(ascii: "{"), archive == nil, case .file(let path) = source.kind,
      IcebergTable(metadata: path) != nil,
      unsafe IcebergTable.describes(Array(bytes.prefix(1 << 16)))
    {
      return try openForeign(.iceberg, count)
    }
    switch unsafe EventContainer.detect(bytes, isWhole: isWhole) {
    case .lines:
      isAtFileStart = false
      return false
    case .open:
      putCarry(block, 0..<count)
      return true
    case .container(let container):
      let offset = leaveStart(count)
      self.content = unsafe ContainerStream(
        content, after: bytes, then: result, container, log: log, offset: offset)
      return true
    }
  }

  /// Looks at the beginning of a file that is no JSON: a tar, a table, or a kind of file that isn't
  /// read.
  ///
  /// - Returns: what `unpack` returns; `nil` for lines.
  private func unpackOther(
    _ block: LineBlock, _ bytes: UnsafeRawBufferPointer, _ content: ByteStream,
    then result: ReadResult?, isWhole: Bool
  ) throws -> Bool? {
    if result == nil || result == .memberEnd, bytes.count < ForeignFile.recognisedBytes {
      putCarry(block, 0..<bytes.count)
      return true
    }
    if let inner = unsafe Compression.marked(bytes) {
      if openedLayers == Self.maximumLayers { return passOver(bytes.count) }
      openedLayers += 1
      let window = unsafe InputWindow(RejoinedStream(bytes, then: result, content))
      uncompressedBytes -= bytes.count
      self.content = inner.stream(window, log: log, offset: { [file] in file.bytesRead })
      return true
    }
    if unsafe ForeignFile.isTar(Array(bytes.prefix(ForeignFile.recognisedBytes))) {
      let offset = leaveStart(bytes.count)
      if archive != nil {
        log.add(at: offset(), "a tar inside an archive is not opened; unpack it first")
      } else {
        archive = unsafe TarArchive(
          RejoinedStream(bytes, then: result, content), log: log, offset: offset)
      }
      (self.content, newName) = (nil, nil)
      return true
    }
    if let foreign = unsafe ForeignFile.recognise(Array(bytes)) {
      if archive != nil && foreign.isNoTable { return passOverMember(bytes.count) }
      if try openForeign(foreign, bytes.count) { return true }
    }
    switch unsafe TableSurvey(bytes, isWhole: isWhole).finding() {
    case .none:
      guard archive != nil, unsafe !EventContainer.hasObjects(bytes), bytes.count <= keptBytes
      else { return nil }
      // Only of a file that was seen to its end.
      if result == .end { return passOverMember(bytes.count) }
      guard result == nil || result == .memberEnd else { return nil }
      putCarry(block, 0..<bytes.count)
    case .open: putCarry(block, 0..<bytes.count)
    case .table(let layout):
      let offset = leaveStart(bytes.count)
      let rows = unsafe TableStream(
        content, after: bytes, then: result, layout, log: log, offset: offset)
      // What is in an envelope's column is an event as it was sent, and no row.
      let names = Set(layout.columns.compactMap { $0.count == 1 ? $0[0] : nil })
      let isPacked = EventContainer.packedMember(of: names).map(names.contains) ?? false
      (isTable, isUntyped, table) = (!isPacked, !isPacked, layout)
      self.content =
        unsafe isPacked
        ? ContainerStream(
          rows, after: UnsafeRawBufferPointer(start: nil, count: 0), then: nil,
          EventContainer(path: nil, opensEnvelopes: true), log: log, offset: offset) : rows
    }
    return true
  }

  /// Leaves out what is compressed once more than anybody does on purpose.
  private func passOver(_ count: Int) -> Bool {
    log.add(
      at: leaveStart(count)(),
      "more than \(Self.maximumLayers + 1) layers of compression are not opened; unpack it first")
    content = ByteStream()
    return true
  }

  /// Leaves out a file of an archive without events, as a search of folders would.
  private func passOverMember(_ count: Int) -> Bool {
    _ = leaveStart(count)
    passedOver.append(newName ?? sourceName)
    (content, newName) = (nil, nil)
    return true
  }

  /// Reads a file of another kind through DuckDB where that is possible.
  ///
  /// - Throws: an `InputProblem` that says what can be done.
  private func openForeign(_ foreign: ForeignFile, _ count: Int) throws -> Bool {
    if archive != nil {
      let offset = leaveStart(count)
      log.add(at: offset(), "\(foreign.what) inside an archive is not opened; unpack it first")
      (content, newName) = (nil, nil)
      return true
    }
    guard compression == .plain || foreign == .iceberg, case .file(let path) = source.kind,
      let descriptor = file.descriptor, FileIdentity(descriptor: descriptor)?.isRegular == true,
      let table = DuckDBTable(foreign, at: path), let program = DuckDBProgram.installed
    else {
      throw InputProblem(
        name: source.name, message: foreign.advice(source, isCompressed: compression != .plain),
        kind: .foreign(foreign.what))
    }
    content = try DuckDBStream(
      foreign, table, program, input: descriptor, name: source.name, log: log)
    _ = leaveStart(count)
    isTable = true
    return true
  }

  /// Takes back the bytes that were looked at: another stream has them from here on. Returns what
  /// lets that stream know how far the source is read.
  private func leaveStart(_ count: Int) -> () -> Int {
    (isAtFileStart, beganWithMark) = (false, false)
    uncompressedBytes -= count
    let file = file
    return { file.bytesRead }
  }
}
