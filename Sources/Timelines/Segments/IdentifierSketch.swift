internal import EventInput
internal import Foundation

/// A sample of the ids of a run, by which two runs find out whether anybody is in both: the
/// smallest upper halves of the hashes.
///
/// Two sketches are of the same ids up to the smaller of their last values, so an id that is in
/// both runs and low enough is in both sketches. With fewer ids than `most` a sketch has all.
struct IdentifierSketch: Codable, Sendable, Hashable {
  static let most = 8192

  /// Ascending, each once.
  private(set) var words: [UInt64]

  /// Takes the ids of a run one after the other, each any number of times.
  struct Collector {
    private var words: [UInt64] = []
    private var limit = UInt64.max

    mutating func add(_ hash: IdentifierHash) {
      if hash.isMissing || hash.high > limit { return }
      words.append(hash.high)
      if words.count < IdentifierSketch.most * 4 { return }
      words = IdentifierSketch.smallest(words)
      if words.count == IdentifierSketch.most { limit = words.last ?? limit }
    }

    var sketch: IdentifierSketch { IdentifierSketch(words) }
  }

  private init(_ words: [UInt64]) { self.words = IdentifierSketch.smallest(words) }

  /// As bytes: eight a value, the lowest first.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let bytes = [UInt8](try container.decode(Data.self))
    words = stride(from: 0, to: bytes.count / 8 * 8, by: 8).map {
      bytes[$0..<$0 + 8].littleEndianNumber
    }
    let isSound =
      bytes.count.isMultiple(of: 8) && words.count <= IdentifierSketch.most
      && zip(words, words.dropFirst()).allSatisfy { $0 < $1 }
    if !isSound {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no sketch")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var bytes: [UInt8] = []
    for word in words { bytes.append(littleEndian: word) }
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes))
  }

  private static func smallest(_ words: [UInt64]) -> [UInt64] {
    Array(Array(Set(words)).sorted().prefix(most))
  }

  /// Adds the ids of other facts; ids of both are there once.
  mutating func add(_ other: IdentifierSketch) {
    words = IdentifierSketch.smallest(words + other.words)
  }

  /// The last value up to which all ids are in it.
  private var limit: UInt64 {
    words.count < IdentifierSketch.most ? .max : words.last ?? .max
  }

  /// How many ids are in both, at least, and how many that makes of all ids by the sample.
  func common(with other: IdentifierSketch) -> (found: Int, estimate: Int) {
    let found = Set(words).intersection(other.words).count
    let limit = min(limit, other.limit)
    if limit == .max { return (found, found) }
    let share = (Double(limit) + 1) / 0x1p64
    return (found, Int(min(Double(found) / share, 0x1p53)))
  }
}
