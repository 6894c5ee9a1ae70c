/// A fact that still knows its worker's numbers for person and device.
struct CollectedFact: Hashable {
  var fact: Fact
  /// The worker's number of the person; of the device, where the person is still to be found.
  var person: UInt32
  /// The worker's number of the device; `.max` where the event named none.
  var device: UInt32
}

/// What a person's facts mostly share from one to the next.
struct Surroundings {
  var context: UInt32
  var session: UInt32
  var device: UInt32
  /// How many facts of the person an arena holds.
  var facts: UInt32

  /// Before a person's first fact: no fact is like it (`ArenaFact.write`).
  static let unknown = Surroundings(context: .max, session: 0, device: .max, facts: 0)
}

/// A fact as it stands in a `FactArena`; it can be asked as long as the list is not changed.
///
///     8 bytes  time and action
///     4 bytes  29 bits of the person's number, 3 marks: session, context, device are written
///     2 bytes  hash of the event's id
///     4 bytes  context    ┐
///     4 bytes  session    ├ each only where it is written
///     4 bytes  device     ┘
///     4 bytes  person     only where its number has more than 29 bits
///
/// Context, session and device are written where they differ from those of the person's fact
/// before it in the list. A person's first fact in a list has all three, so that a reader
/// that starts at the list's beginning knows them of every fact. So does every fact of a person
/// whose number is too large: its word of 29 bits and marks has all 32 set.
struct ArenaFact {
  /// What a fact takes that is like the one before it, and the most it takes.
  static let minimumBytes = 14
  static let maximumBytes = 30
  /// Persons from this number on are written behind the fact.
  static let maximumPersons: UInt32 = 1 << 29 - 1
  private static let contextMark = 29
  private static let sessionMark = 30
  private static let deviceMark = 31

  let timeAndAction: UInt64
  private let personAndMarks: UInt32
  private let message: UInt16
  /// What is written behind the person.
  private let told: UnsafeRawPointer

  @inline(__always)
  init(at place: UnsafeRawPointer) {
    timeAndAction = place.loadUnaligned(as: UInt64.self)
    personAndMarks = place.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    message = place.loadUnaligned(fromByteOffset: 12, as: UInt16.self)
    told = place + ArenaFact.minimumBytes
  }

  /// Where the next fact stands: behind as many words as there are marks, or one more.
  @inline(__always)
  var end: UnsafeRawPointer {
    let words = (0x3221_2110 as UInt32) >> (personAndMarks >> 29 * 4) & 15
    return told + Int(words + (personAndMarks == .max ? 1 : 0)) * 4
  }

  @inline(__always)
  var timeMilliseconds: Int64 { Int64(timeAndAction >> Fact.actionBits) }

  @inline(__always)
  var action: UInt32 { UInt32(truncatingIfNeeded: timeAndAction & (1 << Fact.actionBits - 1)) }

  @inline(__always)
  var person: UInt32 {
    personAndMarks == .max
      ? told.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
      : personAndMarks & ArenaFact.maximumPersons
  }

  /// The context; `nil` if it is that of the person's fact before.
  @inline(__always)
  var context: UInt32? { isTold(ArenaFact.contextMark) ? told.loadUnaligned(as: UInt32.self) : nil }

  /// The session; `nil` if it is that of the person's fact before.
  @inline(__always)
  var session: UInt32? {
    guard isTold(ArenaFact.sessionMark) else { return nil }
    let offset = isTold(ArenaFact.contextMark) ? 4 : 0
    return told.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  /// The device; `nil` if it is that of the person's fact before.
  @inline(__always)
  var device: UInt32? {
    guard isTold(ArenaFact.deviceMark) else { return nil }
    let offset = (isTold(ArenaFact.contextMark) ? 4 : 0) + (isTold(ArenaFact.sessionMark) ? 4 : 0)
    return told.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  /// All of it; `last` is the person's fact before it in the list, not asked for the first.
  @inline(__always)
  func collected(after last: @autoclosure () -> CollectedFact) -> CollectedFact {
    CollectedFact(
      fact: fact(
        action: action, context: context ?? last().fact.context,
        session: session ?? last().fact.session),
      person: person, device: device ?? last().device)
  }

  /// The fact with what the person's earlier facts say, and with another code for its action.
  @inline(__always)
  func fact(action: UInt32, context: UInt32, session: UInt32) -> Fact {
    Fact(
      timeMilliseconds: timeMilliseconds, action: action, context: context, session: session,
      message: message)
  }

  @inline(__always)
  private func isTold(_ mark: Int) -> Bool { personAndMarks >> UInt32(mark) & 1 != 0 }

  /// Writes a fact whose person has a number below `maximumPersons`; returns where it ends, and
  /// whether it has the device.
  ///
  /// Up to `maximumBytes` are written, whatever it takes: words that are not needed are
  /// overwritten by the next fact. So there is no branch that a processor would have to guess.
  @inline(__always)
  static func write(
    _ collected: CollectedFact, after last: Surroundings, at place: UnsafeMutableRawPointer
  ) -> (end: UnsafeMutableRawPointer, tellsDevice: Bool) {
    let fact = collected.fact
    let isFirst: UInt32 = last.context == .max ? 1 : 0
    let context = (fact.context != last.context ? 1 : 0) | isFirst
    let session = (fact.session != last.session ? 1 : 0) | isFirst
    let device = (collected.device != last.device ? 1 : 0) | isFirst
    place.storeBytes(of: fact.timeAndAction, as: UInt64.self)
    place.storeBytes(
      of: collected.person | context << contextMark | session << sessionMark
        | device << deviceMark, toByteOffset: 8, as: UInt32.self)
    place.storeBytes(of: fact.message, toByteOffset: 12, as: UInt16.self)
    var end = place + minimumBytes
    end.storeBytes(of: fact.context, as: UInt32.self)
    end += Int(context) * 4
    end.storeBytes(of: fact.session, as: UInt32.self)
    end += Int(session) * 4
    end.storeBytes(of: collected.device, as: UInt32.self)
    return (end + Int(device) * 4, device != 0)
  }

  /// Writes a fact with all that is known of it, for any person.
  static func writeWhole(
    _ collected: CollectedFact, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let fact = collected.fact
    place.storeBytes(of: fact.timeAndAction, as: UInt64.self)
    place.storeBytes(of: .max, toByteOffset: 8, as: UInt32.self)
    place.storeBytes(of: fact.message, toByteOffset: 12, as: UInt16.self)
    let words = [fact.context, fact.session, collected.device, collected.person]
    for (index, word) in words.enumerated() {
      place.storeBytes(of: word, toByteOffset: minimumBytes + index * 4, as: UInt32.self)
    }
    return place + maximumBytes
  }
}
