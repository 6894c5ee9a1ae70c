/// A part of what is known of one partition's people, as bytes that machines exchange.
///
/// A segment is self-contained: it says what it is, which partition it is of, and whether its bytes
/// are whole. Segments that follow one another are a file of segments, so files may be joined by
/// writing one behind the other. All numbers have their lowest byte first:
///
///     8 bytes    FMSEG, a zero, the version in two bytes
///     1 byte     what it is (`Kind`), and a zero
///     2 bytes    the lowest of a checksum of these 40 bytes, with zeros in place of both checksums
///     4 bytes    the partition, from 0
///     4 bytes    how many partitions there are
///     4 bytes    the length of the header
///     8 bytes    the length of the body
///     8 bytes    a checksum of all other bytes
///     header     JSON
///     body       by kind
///
/// `docs/segments.md` is the specification.
public struct PortableSegment: Sendable, Equatable {
  /// What a segment holds.
  public enum Kind: UInt8, Sendable {
    /// What a task read, and the users it found to be one person.
    case task = 1
    /// Facts, by the partition of their user, or of the device where no user is named.
    case facts = 2
    /// Which users were seen on a partition's devices, and when.
    case sightings = 3
    /// What stitching a partition came to.
    case stitching = 4
    /// Facts that stitching gave to people of a partition.
    case stitched = 5
    /// What some of a task's events look like, without values.
    case sample = 6
  }

  /// What is known of a segment before its header and body are read.
  public struct Head: Sendable, Equatable {
    /// What the segment holds.
    public var kind: Kind
    /// The partition it is of, from 0.
    public var partition: Int
    /// Among how many partitions people are divided.
    public var partitionCount: Int
    var headerCount: Int
    var bodyCount: Int
    var checksum: UInt64
  }

  /// Among how many partitions people may be divided.
  public static let maximumPartitions = 100_000
  static let version: UInt16 = 3
  static let headBytes = 40
  /// The writers never make longer headers and bodies.
  static let maximumHeaderBytes = 1 << 30
  static let maximumBodyBytes = 1 << 40
  private static let magic = Array("FMSEG\0".utf8)

  /// What the segment holds; it decides what header and body look like.
  public var kind: Kind
  /// The partition it is of, from 0.
  public var partition: Int
  /// Among how many partitions people are divided.
  public var partitionCount: Int
  /// Where the segment comes from and what to expect in its body, as JSON.
  public var header: [UInt8]
  /// What the segment is about, in the written form of its kind.
  public var body: [UInt8]

  /// The written form.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headBytes + header.count + body.count)
    bytes += plainHead
    bytes.append(littleEndian: checksum)
    bytes += header
    bytes += body
    return bytes
  }

  private var plainHead: [UInt8] {
    let bytes = uncheckedHead
    return Array(bytes[..<10]) + Self.check(bytes) + Array(bytes[12...])
  }

  /// What the head's own checksum is of: a segment that is passed over has no other.
  private static func check(_ head: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    let sum = StoredBytes.checksum(of: Array(head[..<10]) + [0, 0] + Array(head[12..<32]))
    bytes.append(littleEndian: UInt16(truncatingIfNeeded: sum))
    return bytes
  }

  private var uncheckedHead: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.version)
    bytes.append(littleEndian: UInt32(kind.rawValue))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: partition))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: partitionCount))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: header.count))
    bytes.append(littleEndian: UInt64(body.count))
    return bytes
  }

  /// Of the head without it, the header, and the body by its own checksum.
  private var checksum: UInt64 {
    var summed = plainHead + header
    summed.append(littleEndian: StoredBytes.checksum(of: body))
    return StoredBytes.checksum(of: summed)
  }

  /// Reads a head.
  ///
  /// - Parameter bytes: `headBytes` of them.
  static func head(_ bytes: [UInt8]) throws(SegmentProblem) -> Head {
    guard bytes.count == headBytes, bytes.starts(with: magic) else { throw .foreign }
    let version = UInt16(truncatingIfNeeded: bytes[6..<8].littleEndianNumber)
    guard version == Self.version else { throw .version(Int(version)) }
    guard check(bytes) == Array(bytes[10..<12]) else { throw .damaged }
    let kind = UInt8(exactly: bytes[8..<10].littleEndianNumber).flatMap(Kind.init(rawValue:))
    let partition = Int(bytes[12..<16].littleEndianNumber)
    let count = Int(bytes[16..<20].littleEndianNumber)
    let header = Int(bytes[20..<24].littleEndianNumber)
    guard let kind, partition < count, count <= maximumPartitions, header <= maximumHeaderBytes,
      let body = Int(exactly: bytes[24..<32].littleEndianNumber), body <= maximumBodyBytes
    else { throw .damaged }
    return Head(
      kind: kind, partition: partition, partitionCount: count, headerCount: header,
      bodyCount: body, checksum: bytes[32..<40].littleEndianNumber)
  }

  /// What follows a head, verified.
  init(_ head: Head, header: [UInt8], body: [UInt8]) throws(SegmentProblem) {
    self.init(
      kind: head.kind, partition: head.partition, partitionCount: head.partitionCount,
      header: header, body: body)
    guard checksum == head.checksum else { throw .damaged }
  }

  init(kind: Kind, partition: Int, partitionCount: Int, header: [UInt8], body: [UInt8]) {
    self.kind = kind
    self.partition = partition
    self.partitionCount = partitionCount
    self.header = header
    self.body = body
  }
}

/// What may be wrong with a segment's bytes.
enum SegmentProblem: Error {
  /// They are something else.
  case foreign
  /// Of another version than this program reads.
  case version(Int)
  case damaged
}
