/// The contents of gzip members, one after the other.
///
/// After a broken member the stream looks for the next bytes that begin one (1F 8B 08 and flags
/// that gzip knows) and goes on there; zeros after the last member are padding.
final class GzipStream: ByteStream {
  private enum Place {
    case betweenMembers
    case inMember
    case searching
    case done
  }

  private let window: InputWindow
  private let log: DamageLog
  private let offset: () -> Int
  private let inflater = GzipInflater()
  private var place = Place.betweenMembers
  private var hasReadMember = false
  private var pending: ReadResult?

  /// `offset` is where the file on disk is being read, for the log.
  init(_ window: InputWindow, log: DamageLog, offset: @escaping () -> Int) {
    self.window = window
    self.log = log
    self.offset = offset
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    while true {
      if let news = pending {
        pending = nil
        return news
      }
      switch place {
      case .done: return .end
      case .betweenMembers:
        if try !beginMember() { return place == .done ? .end : .damage }
      case .searching:
        if try !findMember() { return .end }
      case .inMember:
        if let result = try unsafe inflate(into: target) { return result }
      }
    }
  }

  /// False if there is no member here: the end, or something else.
  private func beginMember() throws -> Bool {
    while try window.require(1), hasReadMember, unsafe window.bytes[0] == 0 { window.consume(1) }
    guard try window.require(1) else {
      place = .done
      return false
    }
    guard try window.require(2), unsafe window.bytes[0] == 0x1F, unsafe window.bytes[1] == 0x8B
    else {
      log.add(at: offset(), "bytes after a gzip member that begin no other")
      place = .searching
      return false
    }
    if hasReadMember { inflater.reset() }
    hasReadMember = true
    place = .inMember
    return true
  }

  private func findMember() throws -> Bool {
    while try window.require(4) {
      let bytes = unsafe window.bytes
      var index = 0
      while index + 3 < bytes.count {
        if unsafe bytes[index] == 0x1F && bytes[index + 1] == 0x8B && bytes[index + 2] == 8
          && bytes[index + 3] & 0xE0 == 0
        {
          window.consume(index)
          place = .betweenMembers
          return true
        }
        index += 1
      }
      window.consume(index)
    }
    window.consume(window.count)
    place = .done
    return false
  }

  private func inflate(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult? {
    let hasInput = try window.require(1)
    let step = unsafe inflater.step(window.bytes, into: target)
    window.consume(step.consumed)
    switch step.state {
    case .running:
      if step.produced > 0 { return .bytes(step.produced) }
      if hasInput && step.consumed > 0 { return nil }
      if try hasInput && window.require(window.count + 1) { return nil }
      log.add(at: offset(), "the gzip data end in the middle of a member")
      place = .done
      return .damage
    case .memberEnd:
      place = .betweenMembers
      pending = .memberEnd
    case .wrongChecksum(let unread):
      if try window.require(unread) { window.consume(unread) }
      log.add(at: offset(), "the checksum of a gzip member is wrong")
      place = .betweenMembers
      pending = .memberEnd
    case .corrupt(let message):
      log.add(at: offset(), "a gzip member is broken: \(message)")
      place = .searching
      pending = .damage
    }
    // The member's last bytes go out before the news of its end.
    return step.produced > 0 ? .bytes(step.produced) : nil
  }
}
