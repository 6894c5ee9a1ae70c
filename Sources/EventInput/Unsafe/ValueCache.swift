/// Codes of the values that a slot held lately: 64 places, found by the value's first bytes.
///
/// A value of up to 32 bytes is four words and its length: its first and last eight bytes (and,
/// from 17 bytes, the last sixteen), which overlap where it is short. Equal words and lengths mean
/// equal values, so one comparison replaces the search in the name table.
///
/// Invariant: `entries` holds `placeCount` initialised elements; an entry that was never filled has
/// count 0, which no looked-up value has.
struct ValueCache {
  typealias Address = UnsafePointer<UInt8>

  struct Entry {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var count = 0
    var code: UInt32 = 0
  }

  static let maximumBytes = 32
  private static let placeCount = 64
  private let entries: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.placeCount)
    entries.initialize(repeating: Entry(), count: Self.placeCount)
  }

  func deallocate() {
    entries.deallocate()
  }

  /// The place and words of a value of 1...32 bytes; 8 bytes can be read from any of them.
  @inline(__always)
  func probe(_ start: Address, count: Int) -> (place: UnsafeMutablePointer<Entry>, entry: Entry) {
    let raw = UnsafeRawPointer(start)
    var entry = Entry()
    entry.count = count
    let head = raw.loadUnaligned(as: UInt64.self)
    if count <= 8 {
      entry.words.0 = head & (~0 &>> UInt64(truncatingIfNeeded: 64 &- count &* 8))
    } else {
      entry.words.0 = head
      entry.words.1 = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      if count > 16 {
        entry.words.2 = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        entry.words.3 = raw.loadUnaligned(fromByteOffset: count &- 16, as: UInt64.self)
      }
    }
    let mixed = (entry.words.0 ^ entry.words.1 &* 3 ^ entry.words.2) &* 0x9E37_79B9_7F4A_7C15
    let place = Int(truncatingIfNeeded: (mixed &+ UInt64(truncatingIfNeeded: count)) &>> 58)
    return (entries + place, entry)
  }

  @inline(__always)
  static func isHit(_ place: UnsafeMutablePointer<Entry>, _ entry: Entry) -> Bool {
    let known = place.pointee
    let first = (known.words.0 ^ entry.words.0) | (known.words.1 ^ entry.words.1)
    let second = (known.words.2 ^ entry.words.2) | (known.words.3 ^ entry.words.3)
    return first | second == 0 && known.count == entry.count
  }
}
