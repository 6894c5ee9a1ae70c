/// Where a person stands in an experiment besides the variant, in one word (definitions 6).
struct ExperimentStanding: Hashable {
  private(set) var word: UInt32

  private static let outsideWord: UInt32 = 0x8000_0000
  private static let notExposedBit: UInt32 = 0x4000_0000

  /// Entered while the experiment did not run.
  static let outside = ExperimentStanding(word: outsideWord)

  private init(word: UInt32) { self.word = word }

  /// - Parameter period: the number of the split that held at entry.
  init(period: Int, isExposed: Bool) {
    word = UInt32(period) | (isExposed ? 0 : Self.notExposedBit)
  }

  var isOutside: Bool { word == Self.outsideWord }
  var isExposed: Bool { word & Self.notExposedBit == 0 }
  var period: Int { isOutside ? 0 : Int(word & ~Self.notExposedBit) }
}
