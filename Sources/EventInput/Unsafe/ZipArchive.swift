import CFirstMileZlib

/// A zip read forward, member by member, without its directory: so standard input works too.
///
/// Stored and deflated members are read, also with the sizes after the data (deflated ones) and
/// with 64-bit sizes. Folders and the notes that macOS adds (`__MACOSX/`) are passed over.
final class ZipArchive: MemberArchive {
  static let localHeader: UInt32 = 0x0403_4B50
  static let endOfDirectory: UInt32 = 0x0605_4B50
  private static let descriptor: UInt32 = 0x0807_4B50

  let window: InputWindow
  private let log: DamageLog
  private let offset: () -> Int
  private var member: ZipMember?

  init(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) {
    self.window = window
    self.log = log
    self.offset = offset
  }

  override func nextMember() throws -> (name: String, stream: ByteStream)? {
    while true {
      if let member {
        try member.skipRest()
        guard try !member.isBroken && endMember(member) else { return nil }
        self.member = nil
      }
      guard let (name, member) = try beginMember() else { return nil }
      self.member = member
      if name.hasSuffix("/") || ArchiveNotes.areIn(name) { continue }
      return (name, member)
    }
  }

  private func beginMember() throws -> (String, ZipMember)? {
    guard try window.require(4) else { return nil }
    if word32(0) != Self.localHeader, try !passDirectory() { return nil }
    guard try window.require(30) else {
      log.add(at: offset(), "the zip ends in the middle of a member's header")
      return nil
    }
    let (flags, method) = (word16(6), word16(8))
    let (nameCount, extraCount) = (word16(26), word16(28))
    var compressed = Int(word32(18))
    let hasSizes = flags & 8 == 0
    guard try window.require(30 + nameCount + extraCount) else {
      log.add(at: offset(), "the zip ends in the middle of a member's header")
      return nil
    }
    let name = unsafe String(decoding: window.bytes[30..<30 + nameCount], as: UTF8.self)
    let large = largeSize(from: 30 + nameCount, count: extraCount)
    if compressed == 0xFFFF_FFFF, let large { compressed = large }
    let expected = word32(14)
    guard flags & 1 == 0 else {
      log.add(at: offset(), "\(name) is encrypted; unpack the zip first")
      return nil
    }
    guard method == 8 || (method == 0 && hasSizes) else {
      log.add(
        at: offset(), "\(name) is packed in a way that can't be read forward (\(method)); unpack it"
      )
      return nil
    }
    window.consume(30 + nameCount + extraCount)
    return (
      name,
      ZipMember(
        window, name: name, storedBytes: method == 0 ? compressed : nil,
        checksum: hasSizes ? expected : nil, hasLargeSizes: large != nil, log: log, offset: offset)
    )
  }

  /// Passes over the archive's directory; true if another archive follows.
  private func passDirectory() throws -> Bool {
    while try window.require(4) {
      let kind = word32(0)
      if kind == Self.localHeader { return true }
      guard let parts = Self.directoryParts[kind], try window.require(parts.fixed) else { break }
      let lengths = parts.lengths.reduce(0) { $0 + word16($1) }
      let large = kind == Self.largeEnd ? Int(word32(4)) - 44 : 0
      guard try window.require(parts.fixed + lengths + large) else { break }
      window.consume(parts.fixed + lengths + large)
    }
    // Some tools fill the last block up.
    if unsafe window.bytes.contains(where: { $0 != 0 }) {
      log.add(at: offset(), "what stands here is no part of a zip, and the rest was not read")
    }
    return false
  }

  private static let largeEnd: UInt32 = 0x0606_4B50
  /// What a directory is made of: how long each part is, and where the lengths of its texts stand.
  private static let directoryParts: [UInt32: (fixed: Int, lengths: [Int])] = [
    0x0201_4B50: (46, [28, 30, 32]), largeEnd: (56, []), 0x0706_4B50: (20, []),
    endOfDirectory: (22, [20]),
  ]

  /// Reads the sizes after the data where there are some, and compares the checksum.
  private func endMember(_ member: ZipMember) throws -> Bool {
    var expected = member.checksum
    if expected == nil {
      let hasMark = try window.require(4) && word32(0) == Self.descriptor
      let count = (hasMark ? 4 : 0) + 4 + (member.hasLargeSizes ? 16 : 8)
      guard try window.require(count) else {
        log.add(at: offset(), "the zip ends after \(member.name), before its checksum")
        return false
      }
      expected = word32(hasMark ? 4 : 0)
      window.consume(count)
    }
    if expected != member.actualChecksum {
      log.add(at: offset(), "the checksum of \(member.name) is wrong")
    }
    return true
  }

  /// The packed size in the 64-bit extra field; nil where there is no such field.
  private func largeSize(from start: Int, count: Int) -> Int? {
    var index = start
    while index + 4 <= start + count {
      let (kind, size) = (word16(index), word16(index + 2))
      if kind == 1 {
        guard size >= 16, index + 20 <= start + count else { return 0 }
        return Int(clamping: UInt64(word32(index + 12)) | UInt64(word32(index + 16)) << 32)
      }
      index += 4 + size
    }
    return nil
  }

  private func word16(_ index: Int) -> Int {
    unsafe Int(window.bytes[index]) | Int(window.bytes[index + 1]) << 8
  }

  private func word32(_ index: Int) -> UInt32 {
    unsafe UInt32(littleEndian: window.bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
  }
}

/// The unpacked bytes of one member of a zip.
final class ZipMember: ByteStream {
  let name: String
  /// From the header; nil where it stands after the data.
  let checksum: UInt32?
  let hasLargeSizes: Bool
  private(set) var actualChecksum: UInt32 = 0
  private(set) var isBroken = false
  private let window: InputWindow
  private let log: DamageLog
  private let offset: () -> Int
  /// What is left of a stored member; nil for deflated ones.
  private var storedBytes: Int?
  private let inflater: ZlibInflater?
  private var isDone = false

  init(
    _ window: InputWindow, name: String, storedBytes: Int?, checksum: UInt32?,
    hasLargeSizes: Bool, log: DamageLog, offset: @escaping () -> Int
  ) {
    self.window = window
    self.name = name
    self.storedBytes = storedBytes
    self.checksum = checksum
    self.hasLargeSizes = hasLargeSizes
    self.log = log
    self.offset = offset
    inflater = storedBytes == nil ? ZlibInflater(raw: true) : nil
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    if isBroken { return .damage }
    if isDone { return .end }
    let count =
      try unsafe inflater.map { try unsafe inflate($0, into: target) } ?? readStored(into: target)
    guard count > 0 else { return isBroken ? .damage : .end }
    actualChecksum = unsafe UInt32(
      truncatingIfNeeded: crc32(
        UInt(actualChecksum), target.baseAddress?.assumingMemoryBound(to: UInt8.self),
        UInt32(count)))
    return .bytes(count)
  }

  /// Reads to the member's end, so that the next one can begin.
  func skipRest() throws {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes = try unsafe chunk.withUnsafeMutableBytes({ try unsafe read(into: $0) }) {}
  }

  private func readStored(into target: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let left = storedBytes, left > 0 else {
      isDone = true
      return 0
    }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target.prefix(left))
    let count = try unsafe window.read(into: part)
    storedBytes = left - count
    if count == 0 { breakOff("the zip ends in the middle of \(name)") }
    return count
  }

  private func inflate(
    _ inflater: ZlibInflater, into target: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    while true {
      let hasInput = try window.require(1)
      let step = unsafe inflater.step(window.bytes, into: target)
      window.consume(step.consumed)
      switch step.state {
      case .memberEnd: isDone = true
      case .corrupt(let message): breakOff("\(name) is broken: \(message)")
      case .wrongChecksum: breakOff("\(name) is broken")
      case .running:
        if step.produced == 0 && step.consumed == 0 && !hasInput {
          breakOff("the zip ends in the middle of \(name)")
        }
      }
      if step.produced > 0 || isDone || isBroken { return step.produced }
    }
  }

  private func breakOff(_ message: String) {
    log.add(at: offset(), message)
    isBroken = true
  }
}
